/** Shorter ones may be words of a message: servers without a key are sent `none`. */
const minCharacters = 8
/** Of all servers of a deployment; the oldest goes. */
const maxSecrets = 100
const secrets = new Set<string>()

/** Remembers a key that is sent to a model's server. */
export function rememberSecret(secret: string): void {
  if (secret.length < minCharacters || secrets.has(secret)) return
  secrets.add(secret)
  const [oldest] = secrets
  if (secrets.size > maxSecrets && oldest !== undefined) secrets.delete(oldest)
}

/** A text of a server without the keys that it was sent: some servers repeat a key that they refuse. */
export function cutSecrets(text: string): string {
  let rest = text
  for (const secret of secrets) rest = rest.replaceAll(secret, '…')
  return rest
}
