import { counts, supplyChainProblems } from './checks/supply-chain.mjs';

/** Lists the number of packages, their licences and any problems with them. */
const { running, developing, licences } = counts();
console.log(
  `To run: ${running.direct} packages asked for, ${running.all} in all, ${running.forOnePlatform} of them binaries for one platform each.`,
);
console.log(`For building and testing: ${developing.direct} direct, ${developing.all} in all.`);
console.log(`Licences: ${licences.map(([name, count]) => `${name} ${count}`).join(', ')}.`);

const problems = supplyChainProblems();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
