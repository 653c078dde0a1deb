import type { RegistryEntry } from '#shared/contracts/registry.ts'

/** One field of the setup dialog. */
export interface SetupField {
  /** key in `credentials` */
  name: string
  label: string
  placeholder: string
  secret: boolean
}

/**
 * DEC-056: what an entry that is connected with keys asks for: the fields it describes, else the credentials it names, else one
 * API key.
 */
export function credentialFields(
  entry: Pick<RegistryEntry, 'name' | 'credential_fields' | 'config'>,
): readonly SetupField[] {
  if (entry.credential_fields.length > 0) return entry.credential_fields
  const named = entry.config.required_credentials ?? []
  if (named.length === 0)
    return [{ name: 'apiKey', label: 'API key', placeholder: `Enter ${entry.name} API key`, secret: true }]
  return named.map((name) => ({ name, label: name, placeholder: `Enter ${name}`, secret: true }))
}

/** What was typed, trimmed, without blanks. */
export function filled(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  )
}
