import { type OptionalParameter, optionalParameters } from '../store/client-repository.ts'

/** Which optional parameters a request carries. */
export const listOptionalParameters = (query: Readonly<Record<string, string>>): OptionalParameter[] =>
  optionalParameters.filter((name) =>
    name === 'offline_access'
      ? query['scope']?.split(' ').includes(name) === true
      : query[name] !== undefined,
  )

/** Leaves out what the server has refused. The prompt asks for a refresh token, so it goes with the scope that offers one. */
export function omitRefused(
  { scope, prompt, resource, ...rest }: Readonly<Record<string, string>>,
  refused: readonly OptionalParameter[],
): Record<string, string> {
  const scopes = (scope ?? '')
    .split(' ')
    .filter((one) => one !== '' && !(one === 'offline_access' && refused.includes(one)))
  const isOffline = scopes.includes('offline_access') && !refused.includes('scope')
  return {
    ...rest,
    ...(scopes.length > 0 && !refused.includes('scope') && { scope: scopes.join(' ') }),
    ...(prompt !== undefined && isOffline && !refused.includes('prompt') && { prompt }),
    ...(resource !== undefined && !refused.includes('resource') && { resource }),
  }
}

/**
 * Which of the parameters that were sent an error response refuses: the one that it names, by its code (RFC 8707 section 2, RFC 6749
 * section 4.1.2.1) or in its description. For a request that is only called invalid, the ones are tried that RFC 6749 does not know.
 * @returns undefined if the error is about something else
 */
export function findRefusedParameter(
  error: string,
  description: string,
  sent: readonly OptionalParameter[],
): OptionalParameter | undefined {
  const candidates: Readonly<Record<string, readonly OptionalParameter[]>> = {
    invalid_target: ['resource'],
    invalid_scope: ['offline_access', 'scope'],
    invalid_request: ['prompt', 'resource'],
  }
  const text = description.slice(0, 500).toLowerCase()
  const named = Object.hasOwn(candidates, error) ? sent.find((name) => text.includes(name)) : undefined
  return (
    named ?? (Object.hasOwn(candidates, error) ? candidates[error] : [])?.find((name) => sent.includes(name))
  )
}
