import { InvalidRequestException, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager'
import { parseTyped, type ReadablePlace } from './vault.ts'

/** Typed values in Secrets Manager, one secret for each name. @param read of a secret's text; copies may be held */
export const readableSecrets = (read: (name: string) => Promise<string>): ReadablePlace => ({
  async find(_, name) {
    try {
      return parseTyped(await read(name))
    } catch (error) {
      // for a moment after its deletion a secret is still there, and refuses to be read
      if (error instanceof ResourceNotFoundException || error instanceof InvalidRequestException)
        return undefined
      throw error
    }
  },
})
