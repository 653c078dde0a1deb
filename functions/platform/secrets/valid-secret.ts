import { logger } from '../telemetry/logger.ts'
import type { SecretStore } from './secret-store.ts'

/**
 * Reads a secret of the operator. A value that its schema refuses replaces no valid one: the last that was valid is used, or the version
 * before, and the log says so.
 * @param parse throws for what the reader cannot take
 * @throws what `parse` throws when there is no valid value, and the client's error when the secret cannot be read
 */
export function validSecret<Value>(secrets: SecretStore, parse: (text: string) => Value) {
  const lastValid = new Map<string, Value>()
  return async (name: string): Promise<Value> => {
    const text = await secrets.read(name)
    try {
      const value = parse(text)
      lastValid.set(name, value)
      return value
    } catch (error) {
      logger.error('a secret is not valid; the last valid value is used', {
        error,
        code: 'invalid_secret',
      })
      const last = lastValid.get(name)
      if (last !== undefined) return last
      const previous = await secrets.readPrevious(name)
      if (previous === undefined) throw error
      const value = parse(previous)
      lastValid.set(name, value)
      return value
    }
  }
}
