import { createHash } from 'node:crypto'
import type { Tool } from './tool.ts'

/** Of what a person allows when they allow a tool: whose it is, what it says it does, and what it takes. */
export function fingerprintOf({ name, description, parameters, of }: Tool): string {
  const told = JSON.stringify([of?.mcpId ?? '', name, description, parameters.schema])
  return createHash('sha256').update(told).digest('hex').slice(0, 32)
}
