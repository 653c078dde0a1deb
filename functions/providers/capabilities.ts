import * as all from './all/tools.ts'
import type { Capability } from './capability.ts'

const byId: Readonly<Record<string, readonly Capability[]>> = all

/** The capabilities of a built-in integration; none for any other id. */
export const listCapabilities = (mcpId: string): readonly Capability[] =>
  Object.hasOwn(byId, mcpId) ? (byId[mcpId] ?? []) : []
