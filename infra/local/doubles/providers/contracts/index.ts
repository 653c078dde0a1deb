import type { Contract } from './contract.ts'
import { slack } from './slack.ts'

/** By provider. */
export const contracts: Readonly<Record<string, Contract>> = { slack }
