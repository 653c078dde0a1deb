import { createHash } from 'node:crypto'
import type { Tool } from './tool.ts'

/**
 * Identifies what a person allows when they allow a tool: whose it is, what it says it does, what it takes, and for a server's tool
 * where that server is. A tool that differs in any of this asks again.
 */
export function fingerprintOf({ name, title, description, parameters, of, definition }: Tool): string {
  const identity = [of?.mcpId ?? '', definition ?? '', name, title ?? '', description, parameters.schema]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
}
