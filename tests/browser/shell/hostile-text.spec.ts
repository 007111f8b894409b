import { expect, test } from '../../support/browser/fixtures.ts';
import { follow } from '../../support/browser/screens.ts';
import { aCourse, aFamily, aSemester } from '../../support/records.ts';

// Any console message fails the test, including the report of a script that the content security policy blocked.
// Covers A56
test('scripts in names, addresses and subjects are shown as text and never run; the page rejects HTML made from text', async ({
  staffPage: page,
  api,
  expectedProblems,
}) => {
  await test.step('scripts in names, addresses and subjects are shown as text and never run', async () => {
    const script = '<img src=x onerror=alert(1)>';
    const executed: string[] = [];
    page.on('dialog', (dialog) => {
      executed.push(dialog.message());
      return dialog.dismiss();
    });
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/x')) executed.push(request.url());
    });
    const name = { first_name: script, last_name: '"><script>alert(2)</script>' };
    const student = await api.createStudent({
      ...name,
      reason: script,
      img: 'javascript:alert(3)',
      current_sem: 2,
    });
    await api.post('/api/students/family', aFamily(student.id, { father_name: script, address: script }));
    const subjects = [{ title: script, credits: 3, grade: 'A' }] as const;
    await api.post('/api/students/academics', aSemester(student.id, 1, subjects));
    const course = { ...aCourse(), course_name: script, course_description: script, course_code: script };
    await api.post('/api/courses', course);

    await page.goto('/');
    for (const path of [
      ...[`/students?q=${student.id}`, `/students/${student.id}`, `/students/${student.id}/edit`],
      ...[`/students/${student.id}/family/edit`, `/students/${student.id}/academics/edit`],
      ...['/courses', `/courses/${course.course_id}`, `/courses/${course.course_id}/edit`],
    ]) {
      await follow(page, path);
      // The card may be below those that are rendered.
      if (path === '/courses') await page.getByRole('searchbox').fill(String(course.course_id));
      const shown = page.getByText(script).or(page.locator(`[value="${script}"]`));
      const typed = page.locator('input, textarea').and(page.locator(':visible'));
      await expect
        .poll(async () => {
          const values = await typed.evaluateAll((fields) =>
            fields.map((field) => (field as HTMLInputElement | HTMLTextAreaElement).value),
          );
          return (await shown.count()) > 0 || values.includes(script);
        }, path)
        .toBe(true);
    }
    await follow(page, `/students/${student.id}`);
    await page.getByRole('button', { name: /^Semester 1 / }).click();
    await expect(page.getByRole('dialog').getByText(script).first()).toBeVisible();
    expect(executed).toEqual([]);
  });

  await test.step('the page rejects HTML made from text and the address of an injected script', async () => {
    await follow(page, '/');
    expectedProblems.add('trusted types');
    const outcome = await page.evaluate(() => {
      const getOutcome = (attempt: () => void) => {
        try {
          attempt();
          return 'done';
        } catch (error) {
          return error instanceof Error ? error.name : 'refused';
        }
      };
      return [
        getOutcome(() => {
          document.body.innerHTML = '<p>made of text</p>';
        }),
        getOutcome(() => {
          document.createElement('script').src = 'https://evil.test/x.js';
        }),
      ];
    });
    expect(outcome).toEqual(['TypeError', 'TypeError']);
  });
});
