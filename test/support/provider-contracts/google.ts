import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Contract, PublishedOAuth, Source } from './contract.ts'

/** A client library that Google generates from its discovery documents. */
export const clientLibrary = (api: string, version: string): Source => ({
  name: `@googleapis/${api}`,
  url: `https://www.npmjs.com/package/@googleapis/${api}`,
  version,
  checkedOn: '2026-11-21',
})

const failure = (code: number, message: string, status: string, reason: string, details: object[] = []) =>
  json(code, {
    error: {
      code,
      message,
      status,
      errors: [{ domain: 'global', reason, message }],
      ...(details[0] && { details }),
    },
  })

/** The error forms of Google's APIs: https://cloud.google.com/apis/design/errors */
export const googleErrors: Pick<Contract, 'invalid' | 'forbidden' | 'notFound'> = {
  invalid: (message) => failure(400, message, 'INVALID_ARGUMENT', 'badRequest'),
  forbidden: () =>
    failure(
      403,
      'Request had insufficient authentication scopes.',
      'PERMISSION_DENIED',
      'insufficientPermissions',
      [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          domain: 'googleapis.com',
        },
      ],
    ),
  notFound: () => failure(404, 'Not Found', 'NOT_FOUND', 'notFound'),
}

export const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

export const googleOAuth: PublishedOAuth = {
  parameters: ['access_type', 'prompt', 'login_hint'],
  pkce: true,
}
