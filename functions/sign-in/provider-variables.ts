import * as z from 'zod'
import { readProviderConfigs } from '#shared/identity-providers.ts'

/**
 * The part of a function's environment that describes the identity providers. Without a default: a function that is deployed without it
 * must not start.
 */
export const providerVariables = { IDENTITY_PROVIDERS: z.string().transform(readProviderConfigs) }

/** Whether accounts may have a password; without a default, too. */
export const passwordSignIn = z.enum(['on', 'off']).transform((value) => value === 'on')

/** Whether all accounts need a second factor. */
export const requireTwoFactor = z
  .enum(['on', 'off'])
  .default('off')
  .transform((value) => value === 'on')
