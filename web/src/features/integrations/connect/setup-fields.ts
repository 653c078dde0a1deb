import { t } from '@lingui/core/macro'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { translateName } from '../../../lib/translate-name.ts'

/** One field of the setup dialog. */
export interface SetupField {
  /** key in `credentials` */
  name: string
  label: string
  placeholder: string
  secret: boolean
}

/**
 * The fields of an entry that connects with keys: those it describes, otherwise the credentials it names,
 * otherwise one API key.
 */
export function getCredentialFields(
  entry: Pick<RegistryEntry, 'name' | 'credential_fields' | 'config'>,
): readonly SetupField[] {
  if (entry.credential_fields.length > 0)
    return entry.credential_fields.map((field) => ({
      ...field,
      label: translateName(field.label),
      placeholder: translateName(field.placeholder),
    }))
  const credentialNames = entry.config.required_credentials ?? []
  if (credentialNames.length === 0)
    return [
      {
        name: 'apiKey',
        label: t`API key`,
        placeholder: t`Enter ${entry.name} API key`,
        secret: true,
      },
    ]
  return credentialNames.map((name) => ({
    name,
    label: name,
    placeholder: t`Enter ${{ credential: name }}`,
    secret: true,
  }))
}

/** Trims the values and drops empty ones. */
export function trimValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  )
}
