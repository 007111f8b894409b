import type { ComponentProps, FormEvent } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  /** An error that it throws is shown as a message, like any that nothing catches. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown;
}

/** A form that is sent by a function, without the browser's own checks. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event);
      }}
      {...props}
    />
  );
}
