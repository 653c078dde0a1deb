import { t } from '@lingui/core/macro'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { getOwn } from '#shared/get-own.ts'
import { translateName } from '../../../lib/text/translate-name.ts'

/** What is entered in the setup dialog. */
export interface SetupValues {
  clientId: string
  clientSecret: string
  /** the keys, by name */
  credentials: Record<string, string>
  /** the parameters of the server's address, by name */
  parameters: Record<string, string>
}

/** What has to be entered to connect an integration, besides the parameters of its address. */
export interface SetupNeeds {
  usesOAuth: boolean
  needsClientId: boolean
  keys: readonly SetupField[]
  /** only the server knows whether it takes a key */
  areKeysOptional: boolean
}

/** A credential that the setup dialog asks for. `secret` values are hidden while they are typed. */
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
function getCredentialFields(
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

/** What an integration needs. @param ownClient set if the user registers a client at a server that would also take a key */
export function getSetupNeeds(
  entry: Pick<RegistryEntry, 'name' | 'auth_type' | 'preconfigured' | 'credential_fields' | 'config'>,
  ownClient: object | undefined,
): SetupNeeds {
  const usesOAuth = entry.auth_type === 'oauth2' || ownClient !== undefined
  const areKeysOptional = !usesOAuth && entry.auth_type === 'unknown'
  const usesKeys = !usesOAuth && (entry.auth_type === 'api_key' || areKeysOptional)
  return {
    usesOAuth,
    needsClientId: usesOAuth && !entry.preconfigured,
    keys: usesKeys ? getCredentialFields(entry) : [],
    areKeysOptional,
  }
}

/** The name of the field for the Client ID. */
export const clientIdField = 'clientId'

/** The first field that must not stay empty, and is. */
export function findMissingField(
  addressParameters: RegistryEntry['address_parameters'],
  { needsClientId, keys, areKeysOptional }: SetupNeeds,
  { clientId, credentials, parameters }: SetupValues,
): { name: string; label: string } | undefined {
  const requiredFields = [
    ...addressParameters
      .filter(({ optional }) => !optional)
      .map(({ name, label }) => ({ name, label: translateName(label), value: getOwn(parameters, name) })),
    ...(needsClientId ? [{ name: clientIdField, label: t`Client ID`, value: clientId }] : []),
    ...(areKeysOptional
      ? []
      : keys.map(({ name, label }) => ({ name, label, value: getOwn(credentials, name) }))),
  ]
  return requiredFields.find(({ value = '' }) => value.trim() === '')
}

/** Trims the values and drops empty ones. */
export function trimValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  )
}
