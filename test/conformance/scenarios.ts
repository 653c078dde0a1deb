/** Requirement sets of the suite, newest first: the scenarios that it froze for a revision of the protocol. */
export const revisions = ['2026-07-28', '2025-11-25'] as const

/** Scenarios of a revision for which the suite has no set. */
export const olderScenarios = [
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
]

const authorization = 'https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization'
const extension = 'SEP-1730: extensions are optional'

/** Scenarios that do not pass, in one revision or in all, with the clause that allows it. docs/tools.md names them. */
export const exceptions: Readonly<Record<string, string>> = {
  'auth/basic-cimd': `a warning: the suite expects its own address as the Client ID; a metadata document has the address of its client (${authorization}#client-id-metadata-documents)`,
  'elicitation-sep1034-client-defaults':
    'in this revision a server asks on the open connection of a call; no function waits there for a user, so elicitation is not declared, which is optional (https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#capabilities)',
  'auth/2025-03-26-oauth-endpoint-fallback':
    'endpoints are not guessed: removed from the protocol with revision 2025-06-18',
  'json-schema-2020-12-preservation 2026-07-28':
    'models accept no alternatives at the top level: they get these merged, and arguments are checked by the whole schema (not scored: added after the release)',
  'auth/client-credentials-jwt': `users connect; the product has no connections of its own (${extension})`,
  'auth/client-credentials-basic': `users connect; the product has no connections of its own (${extension})`,
  'auth/enterprise-managed-authorization': `there is no identity provider between the product and the servers (${extension})`,
  'auth/dpop': `tokens are not bound to a key (${extension})`,
  'auth/dpop-nonce': `tokens are not bound to a key (${extension})`,
  'auth/wif-jwt-bearer': `there is no workload identity (${extension})`,
}
