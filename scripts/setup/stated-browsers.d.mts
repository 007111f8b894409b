export function buildTargets(): string[];
export function browserNames(): string;
