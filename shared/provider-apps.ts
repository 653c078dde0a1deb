import * as z from 'zod'

const apps = z.record(
  z.string(),
  z.object({ clientId: z.string().trim().min(1), clientSecret: z.string().optional() }),
)
export interface OperatorApp {
  clientId: string
  clientSecret?: string | undefined
}

/** The operator's list is not what it should be; the message says where, and quotes nothing of it. */
export class InvalidProviderApps extends Error {}

/**
 * Reads the operator's OAuth apps at providers: integration id → `{clientId, clientSecret?}`, as JSON.
 * @throws InvalidProviderApps that names the app and the field, and quotes nothing of the text, which holds secrets
 */
export function parseOperatorApps(text: string): Readonly<Record<string, OperatorApp>> {
  const parsed = apps.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new InvalidProviderApps(`The apps at providers are not valid. ${problems.join('. ')}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // no cause: the message of a SyntaxError quotes the text
    throw new InvalidProviderApps('The apps at providers are not valid JSON.')
  }
}
