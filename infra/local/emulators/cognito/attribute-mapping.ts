import { describeAttributeFault, isEmail } from './attributes.ts'
import { type Claims, FederationError, type IdentityProvider } from './identity-provider.ts'
import type { Pool } from './pool.ts'

/** Only the service itself and providers write these. */
const mappableOnly = new Set(['email_verified', 'phone_number_verified'])

/**
 * The attributes that a provider's claims fill, as text, by
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-specifying-attribute-mapping.html. A list becomes its JSON:
 * pools with OpenID providers have `["a","b"]`. A claim that is missing fills nothing, so that an earlier value stays.
 * @throws FederationError for an attribute that the pool does not have or the client may not write, for a value over 2,048 characters,
 * and without the e-mail address, which the pool requires
 */
export function mapAttributes(
  pool: Pool,
  { attributeMapping }: IdentityProvider,
  claims: Claims,
): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [name, claim] of Object.entries(attributeMapping)) {
    const value = claims[claim]
    if (value === undefined || value === null) continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const fault = describeMappingFault(pool, name, text)
    // https://github.com/amazon-archives/amazon-cognito-auth-js/issues/159 has such a message, with its white space
    if (fault !== undefined)
      throw new FederationError('invalid_request', `Invalid user attributes: ${name}: ${fault}\n `)
    attributes[name] = text
  }
  if (attributes['email'] === undefined)
    throw new FederationError('invalid_request', 'attributes required: [email]')
  return attributes
}

function describeMappingFault(pool: Pool, name: string, value: string): string | undefined {
  if (mappableOnly.has(name)) return undefined
  if (name === 'email' && !isEmail(value)) return 'Invalid email address format.'
  const fault = describeAttributeFault(pool, name, value)
  if (fault === 'unknown') return 'Attribute does not exist in the schema.'
  if (fault === 'unauthorized') return 'Attribute cannot be updated.'
  return fault
}
