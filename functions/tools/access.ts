import { ProviderRefused, RefreshImpossible } from '../integrations/errors.ts'
import { isDue, markInvalid, refresh, type TokenStores } from '../integrations/oauth/refresh.ts'
import { type TokenSet, openTokens } from '../integrations/oauth/tokens.ts'
import type { TypedValues } from '../integrations/vault/vault.ts'
import { ProviderError, GrantGone } from '../providers/errors.ts'

/** What a connection of a user may be used with: tokens of a sign-in, or what was typed. */
export type Held = { version: string } & ({ tokens: TokenSet } | { typed: TypedValues })

/**
 * Reads what a connection may be used with, at each use: tokens are renewed before their end, and when they were refused, by one
 * refresher at a time.
 * @returns a function; `refused` is the version of what was just refused
 */
export function heldAccess(
  stores: TokenStores,
  sub: string,
  of: { readonly mcpId: string; readonly name: string },
): (refused?: string) => Promise<Held> {
  const { mcpId } = of

  async function renewed(spent: string): Promise<void> {
    try {
      await refresh(stores, sub, mcpId, spent)
    } catch (error) {
      if (error instanceof RefreshImpossible || error instanceof ProviderRefused)
        throw new GrantGone(of, { cause: error })
      throw new ProviderError(
        `${of.name} did not renew its permission. Please try again in a moment.`,
        undefined,
        { cause: error },
      )
    }
  }

  /** @throws GrantGone, ProviderError */
  return async (refused) => {
    let credential = await stores.credentials.find(sub, mcpId)
    if (!credential || credential.status !== 'active') throw new GrantGone(of)
    const isRefused = credential.version === refused
    if (isRefused && !credential.refreshable) {
      await markInvalid(stores, sub, mcpId)
      throw new GrantGone(of)
    }
    if (credential.sealed !== undefined) {
      // somebody else may have renewed them meanwhile
      if (isRefused || isDue(credential, Date.now())) {
        // the server named no end: what it has not refused may still work
        const mayStillWork = !isRefused && credential.access_expires_at === undefined
        await renewed(credential.version).catch((error: unknown) => {
          if (!mayStillWork) throw error
        })
        credential = await stores.credentials.find(sub, mcpId)
      }
      if (credential?.status !== 'active') throw new GrantGone(of)
      const tokens = await openTokens(stores.sealer, { sub, mcpId }, credential)
      return { version: credential.version, tokens }
    }
    if (credential.secret_name === undefined) throw new GrantGone(of)
    return { version: credential.version, typed: await stores.vault.read(sub, credential.secret_name) }
  }
}
