import type { Contract } from './support/provider-contracts/contract.ts'
import { contracts } from './support/provider-contracts/index.ts'

const noticeMs = 90 * 86_400_000

/**
 * The APIs whose version ends within 90 days, or has ended.
 * @param today YYYY-MM-DD
 * @returns a sentence for each
 */
export function listEndingApis(contracts: Readonly<Record<string, Contract>>, today: string): string[] {
  return Object.entries(contracts).flatMap(([provider, { api }]) =>
    api.supportedUntil !== null && Date.parse(api.supportedUntil) - Date.parse(today) <= noticeMs
      ? [`${provider}: ${api.version} is supported until ${api.supportedUntil} (${api.source})`]
      : [],
  )
}

/** The day on which the contracts were last compared with what providers publish. */
export const findLastCheckDate = (contracts: Readonly<Record<string, Contract>>): string =>
  Object.values(contracts)
    .flatMap(({ sources }) => sources.map(({ checkedOn }) => checkedOn))
    .reduce((newest, day) => (day > newest ? day : newest), '')

// a warning for the pipeline, in the format of GitHub Actions; never fails
if (import.meta.main)
  for (const message of listEndingApis(contracts, new Date().toISOString().slice(0, 10)))
    process.stdout.write(`::warning::${message}\n`)
