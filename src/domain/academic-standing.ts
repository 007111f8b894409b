/** Where figures of the whole faculty begin to look, unless somebody asks for another limit; in grade points. */
export const LOW_CGPA = 2;
export const STEEP_FALL = 0.5;
