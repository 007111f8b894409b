import { makeSharedFaculty } from '../processes/sample-faculty.ts';

/** Makes the faculty that the servers of all workers begin with. */
export default makeSharedFaculty;
