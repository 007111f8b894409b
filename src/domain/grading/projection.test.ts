import { describe, expect, it } from 'vitest';
import { projectCgpas, splitCredits } from './projection.ts';

describe('projectCgpas', () => {
  it('goes on from the exact points, not from the printed CGPA', () => {
    // 251 points over 88 credit hours print 2.85; with 3.27 over 48 they make 407.96 ÷ 136.
    const done = { credits: 88, halfPoints: 502 };
    expect(projectCgpas(done, [{ credits: 48, sgpa: 3.27 }])).toEqual([3]);
    expect(projectCgpas(done, [{ credits: 48, sgpa: 4 }])).toEqual([3.26]);
  });

  it('answers the CGPA after each semester', () => {
    const done = { credits: 10, halfPoints: 40 };
    const expected = [
      { credits: 10, sgpa: 3 },
      { credits: 0, sgpa: 4 },
      { credits: 20, sgpa: 3.5 },
    ];
    expect(projectCgpas(done, expected)).toEqual([2.5, 2.5, 3]);
    expect(projectCgpas({ credits: 0, halfPoints: 0 }, expected.slice(0, 1))).toEqual([3]);
  });

  it('takes thirds of half-points, as averaged attempts leave them', () => {
    // 10 half-points in thirds over 1 credit hour: 1.67 points.
    expect(projectCgpas({ credits: 1, halfPoints: 10, parts: 3 }, [{ credits: 2, sgpa: 1.67 }])).toEqual([
      1.67,
    ]);
  });

  it('rounds half up', () => {
    // (2.67 + 2.68) ÷ 2 = 2.675
    expect(
      projectCgpas({ credits: 0, halfPoints: 0 }, [
        { credits: 1, sgpa: 2.67 },
        { credits: 1, sgpa: 2.68 },
      ]),
    ).toEqual([2.67, 2.68]);
  });
});

describe('splitCredits', () => {
  it.each([
    [48, 3, [16, 16, 16]],
    [50, 3, [17, 17, 16]],
    [1, 2, [1, 0]],
    [0, 1, [0]],
    [12, 0, []],
  ])('splits %i into %i', (credits, semesters, parts) => {
    expect(splitCredits(credits, semesters)).toEqual(parts);
  });
});
