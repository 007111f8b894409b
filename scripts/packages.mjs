import { counts, supplyChainProblems } from './setup/supply-chain.mjs';

/** Says how many packages the product has and under which licences, and what is wrong with them. */
const { running, developing, licences } = counts();
console.log(
  `To run: ${running.direct} packages asked for, ${running.all} in all, ${running.forOnePlatform} of them binaries for one platform each.`,
);
console.log(`To build and test beside them: ${developing.direct} asked for, ${developing.all} in all.`);
console.log(`Licences: ${licences.map(([name, count]) => `${name} ${count}`).join(', ')}.`);

const problems = supplyChainProblems();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
