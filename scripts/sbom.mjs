import { writeFileSync } from 'node:fs';
import { billOfMaterials } from './setup/bill-of-materials.mjs';
import { main } from './setup.mjs';

/** `npm run sbom` prints the {@link billOfMaterials}; `npm run sbom -- sbom.json` writes it to a file. */
await main(async () => {
  const list = JSON.stringify(await billOfMaterials(), null, 2);
  const [file] = process.argv.slice(2);
  if (file === undefined) console.log(list);
  else writeFileSync(file, `${list}\n`);
});
