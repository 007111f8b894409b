import { explainFailure, serve } from './serve.ts';

try {
  console.log(`SIMS listening on ${await serve()}`);
} catch (error) {
  const { text, exitCode } = explainFailure(error);
  console.error(text);
  process.exit(exitCode);
}
