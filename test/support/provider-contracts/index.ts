import * as all from '../../../functions/providers/all/contracts.ts'
import type { Contract } from './contract.ts'

/** By provider. */
export const contracts: Readonly<Record<string, Contract>> = all
