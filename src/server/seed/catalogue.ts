import type { Department } from '../../domain/student.ts';

export interface SeedCourse {
  id: number;
  code: string;
  name: string;
  credits: number;
  /** Semester in which it is studied. */
  semester: number;
  /** Departments whose students all study it; none for an elective. */
  departments: readonly Department[];
  /** Mean of its marks; null for a course without marks. */
  mean: number | null;
}

const ALL = ['EE', 'CE', 'ME', 'MTS'] as const;

const course = (
  id: number,
  code: string,
  name: string,
  credits: number,
  semester: number,
  departments: readonly Department[],
  mean: number | null,
): SeedCourse => ({ id, code, name, credits, semester, departments, mean });

/** Forty courses of an engineering faculty, and electives. */
export const CATALOGUE: readonly SeedCourse[] = [
  course(1101, 'MATH-101', 'Calculus and Analytical Geometry', 3, 1, ALL, 61),
  course(1102, 'PHY-102', 'Applied Physics', 4, 1, ALL, 64),
  course(1103, 'CS-103', 'Fundamentals of Programming', 4, 1, ALL, 70),
  course(1127, 'MATH-121', 'Linear Algebra and Ordinary Differential Equations', 3, 2, ALL, 58),
  course(1128, 'ME-122', 'Engineering Drawing', 2, 2, ALL, 72),
  course(1043, 'HU-104', 'Technical and Business Writing', 2, 3, ALL, 74),
  course(1215, 'MATH-215', 'Probability and Statistics for Engineers', 3, 4, ALL, 51),
  course(1243, 'MATH-243', 'Numerical Methods', 3, 4, ALL, 53),
  course(1212, 'HU-212', 'Professional Ethics', 2, 6, ALL, null),
  course(1301, 'MGT-301', 'Engineering Economics', 2, 7, ALL, 69),
  course(1302, 'MGT-302', 'Project Management', 2, 8, ALL, 71),
  course(1303, 'MGT-303', 'Entrepreneurship', 2, 8, ALL, null),
  course(2101, 'EE-101', 'Linear Circuit Analysis', 4, 2, ['EE', 'CE', 'MTS'], 60),
  course(2111, 'EE-211', 'Electronic Devices and Circuits', 4, 3, ['EE', 'MTS'], 57),
  course(2112, 'EE-212', 'Electromagnetic Field Theory', 3, 4, ['EE'], 49),
  course(2113, 'EE-321', 'Power Systems Analysis', 4, 5, ['EE'], 59),
  course(2114, 'EE-322', 'Communication Systems', 4, 6, ['EE'], 62),
  course(2115, 'EE-431', 'High Voltage Engineering', 3, 7, ['EE'], 66),
  course(2116, 'EE-432', 'Power Electronics', 4, 7, ['EE', 'MTS'], 58),
  course(2206, 'EE-206', 'Signals and Systems', 4, 3, ['EE', 'CE', 'MTS'], 55),
  course(2214, 'CS-214', 'Data Structures and Algorithms', 4, 3, ['CE'], 63),
  course(2231, 'CS-231', 'Computer Organization and Assembly Language', 4, 3, ['CE'], 60),
  course(2222, 'CS-322', 'Operating Systems', 4, 4, ['CE'], 68),
  course(2230, 'CS-330', 'Database Systems', 4, 5, ['CE'], 59),
  course(2232, 'CS-332', 'Computer Networks', 4, 5, ['CE'], 64),
  course(2233, 'CS-433', 'Software Engineering', 3, 6, ['CE'], 73),
  course(2234, 'CS-434', 'Compiler Construction', 4, 7, ['CE'], 54),
  course(3101, 'ME-111', 'Engineering Statics', 3, 2, ['ME', 'MTS'], 62),
  course(3111, 'ME-211', 'Thermodynamics', 4, 3, ['ME'], 56),
  course(3112, 'ME-212', 'Engineering Dynamics', 3, 3, ['ME', 'MTS'], 57),
  course(3113, 'ME-213', 'Fluid Mechanics', 4, 4, ['ME'], 58),
  course(3121, 'ME-321', 'Machine Design', 4, 5, ['ME', 'MTS'], 65),
  course(3122, 'ME-322', 'Heat and Mass Transfer', 4, 6, ['ME'], 52),
  course(3123, 'ME-423', 'Internal Combustion Engines', 3, 7, ['ME'], 67),
  course(3124, 'ME-424', 'Refrigeration and Air Conditioning', 3, 8, ['ME'], 70),
  course(4111, 'MTS-311', 'Control Systems', 4, 5, ['EE', 'MTS'], 56),
  course(4112, 'MTS-312', 'Microcontrollers and Embedded Systems', 4, 6, ['EE', 'CE', 'MTS'], 66),
  course(
    4113,
    'MTS-411',
    'Robotics: Kinematics, Dynamics, Motion Planning and Control of Serial Manipulators',
    4,
    7,
    ['MTS'],
    61,
  ),
  course(4114, 'MTS-412', 'Industrial Automation', 3, 8, ['MTS'], 68),
  course(4115, 'CS-441', 'Machine Learning', 3, 8, ['CE', 'EE'], 63),
  course(5101, 'HU-105', 'English for Engineers', 3, 1, [], null),
  course(5102, 'CS-106', 'Introduction to Computing', 3, 1, [], null),
  course(5103, 'HU-123', 'Islamic Ethics and Civilisation', 3, 2, [], null),
  course(5104, 'MATH-124', 'Discrete Mathematics', 3, 2, [], null),
  course(5105, 'CHEM-125', 'Engineering Chemistry', 3, 2, [], null),
  course(5106, 'MATH-231', 'Complex Variables and Transforms', 4, 3, [], null),
  course(5107, 'CS-232', 'Object-Oriented Programming', 4, 3, [], null),
  course(5108, 'EE-244', 'Digital Logic Design', 4, 4, [], null),
  course(5109, 'ME-245', 'Materials Science', 4, 4, [], null),
  course(5110, 'HU-246', 'Sociology of Technology', 3, 4, [], null),
  course(5111, 'EE-351', 'Electrical Machines', 4, 5, [], null),
  course(5112, 'MATH-352', 'Operations Research', 3, 5, [], null),
  course(5113, 'ME-353', 'Manufacturing Processes', 3, 5, [], null),
  course(5114, 'MGT-354', 'Accounting for Engineers', 3, 5, [], null),
  course(5115, 'EE-361', 'Digital Signal Processing', 4, 6, [], null),
  course(5116, 'ME-362', 'Mechanics of Materials', 4, 6, [], null),
  course(5117, 'HU-363', 'Professional Communication', 3, 6, [], null),
  course(5118, 'CS-471', 'Embedded Software', 4, 7, [], null),
  course(5119, 'ME-472', 'Mechanical Vibrations', 4, 7, [], null),
  course(5120, 'FYP-473', 'Design Project I', 4, 7, [], null),
  course(5121, 'FYP-481', 'Design Project II', 6, 8, [], null),
  course(5122, 'EE-482', 'Renewable Energy Systems', 4, 8, [], null),
];

/** Credit hours per semester of the plan that leads to a degree. */
const FULL_PLAN = 17;

/** Electives of a semester that fill the credit hours of the plan up, beside these courses. */
export function plannedElectives(semester: number, taken: readonly { credits: number }[]): SeedCourse[] {
  let credits = taken.reduce((sum, course) => sum + course.credits, 0);
  return CATALOGUE.filter((course) => {
    if (course.semester !== semester || course.departments.length > 0 || credits >= FULL_PLAN) return false;
    credits += course.credits;
    return true;
  });
}

/** Subjects without a course in the catalogue, by semester: title and credit hours only. */
export const UNLISTED: readonly (readonly { name: string; credits: number }[])[] = [
  [{ name: 'Islamic Studies', credits: 2 }],
  [{ name: 'Pakistan Studies', credits: 2 }],
  [{ name: 'Workshop Practice', credits: 1 }],
  [{ name: 'Communication Skills', credits: 2 }],
  [
    { name: 'Sociology for Engineers', credits: 2 },
    { name: 'Community Service', credits: 1 },
  ],
  [
    { name: 'Technical Elective I', credits: 3 },
    { name: 'Instrumentation and Measurement', credits: 3 },
  ],
  [{ name: 'Final Year Project I', credits: 3 }],
  [
    { name: 'Final Year Project II', credits: 3 },
    { name: 'Technical Elective II', credits: 3 },
  ],
];
