import * as all from '../../functions/providers/all/cases.ts'
import type { ProviderCases } from './provider-contracts/cases.ts'

/** By provider. */
export const cases: Readonly<Record<string, ProviderCases>> = all
