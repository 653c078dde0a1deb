import * as all from './all.ts'
import type { Contract } from './contract.ts'

/** By provider. */
export const contracts: Readonly<Record<string, Contract>> = all
