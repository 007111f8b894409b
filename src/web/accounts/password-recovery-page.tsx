/** A placeholder, as long as no recovery link is mailed. */
export function PasswordRecoveryPage() {
  return (
    <main id="main" tabIndex={-1} className="p-(--gutter)">
      <h1 className="font-normal text-body tracking-normal">please help</h1>
    </main>
  );
}
