import { contracts } from '../infra/local/doubles/providers/contracts/index.ts'
import { listEndingApis } from '../infra/local/doubles/providers/contracts/ends.ts'

/** Prints a warning for each version of a provider's API that ends within 90 days, in the form of GitHub Actions. Never fails. */
if (import.meta.main)
  for (const sentence of listEndingApis(contracts, new Date().toISOString().slice(0, 10)))
    process.stdout.write(`::warning::${sentence}\n`)
