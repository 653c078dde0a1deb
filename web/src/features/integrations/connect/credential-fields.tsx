import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { getOwn } from '#shared/get-own.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { translateName } from '../../../lib/text/translate-name.ts'
import { clientIdField, type SetupNeeds, type SetupValues } from './setup-fields.ts'
import type { Input } from '../../../lib/input/use-input.ts'

interface CredentialFieldsProps {
  entry: Pick<RegistryEntry, 'provider' | 'address_parameters'>
  needs: SetupNeeds
  input: Input<SetupValues>
  onInput: () => void
  /** @param field `clientIdField`, or the name of a key or parameter */
  errorAt: (field: string) => string | undefined
  /** an error that belongs to no field */
  problem: { message: string; cause?: unknown } | undefined
}

/** The fields of the setup dialog: the server's address, the user's app at the provider, the keys. */
export function CredentialFields({
  entry,
  needs: { needsClientId, keys, areKeysOptional },
  input,
  onInput,
  errorAt,
  problem,
}: CredentialFieldsProps) {
  const [areSecretsVisible, setAreSecretsVisible] = useState(false)
  // a single secret is the last field, and has its own button
  const hasSharedButton = keys.length > 1 && keys.some(({ secret }) => secret)
  return (
    <>
      {entry.address_parameters.map(({ name, label, optional, example }) => (
        <TextField
          key={name}
          label={translateName(label)}
          labelAside={optional ? <Optional /> : undefined}
          placeholder={translateName(example)}
          autoComplete="off"
          spellCheck={false}
          error={errorAt(name)}
          input={input.part(
            ({ parameters }) => getOwn(parameters, name) ?? '',
            (values, text) => ({ ...values, parameters: { ...values.parameters, [name]: text } }),
          )}
          onInput={onInput}
        />
      ))}
      {needsClientId && (
        <>
          <TextField
            label={t`Paste your ${entry.provider} Client ID:`}
            placeholder={t`Enter ${entry.provider} Client ID`}
            autoComplete="off"
            spellCheck={false}
            error={errorAt(clientIdField)}
            input={input.at('clientId')}
            onInput={onInput}
          />
          <PasswordField
            isCredential
            label={t`Client Secret`}
            labelAside={<Optional />}
            hint={t`Many providers require it. Stored encrypted and never shown again.`}
            autoComplete="off"
            input={input.at('clientSecret')}
            onInput={onInput}
          />
        </>
      )}
      {keys.map(({ name, label, placeholder, secret }) => {
        const field = {
          label,
          labelAside: areKeysOptional ? <Optional /> : undefined,
          hint: areKeysOptional ? t`Only if the server requires it.` : undefined,
          placeholder,
          autoComplete: 'off',
          spellCheck: false,
          error: errorAt(name),
          input: input.part(
            ({ credentials }) => getOwn(credentials, name) ?? '',
            (values, text) => ({ ...values, credentials: { ...values.credentials, [name]: text } }),
          ),
          onInput,
        }
        return secret ? (
          <PasswordField
            isCredential
            key={name}
            {...field}
            areSecretsVisible={hasSharedButton ? areSecretsVisible : undefined}
          />
        ) : (
          <TextField key={name} {...field} />
        )
      })}
      {hasSharedButton && (
        <button
          type="button"
          className="link justify-self-start text-sm"
          onClick={() => setAreSecretsVisible(!areSecretsVisible)}
        >
          {areSecretsVisible ? t`Hide values` : t`Show values`}
        </button>
      )}
      {problem && (
        <Callout variant="danger" error={problem.cause}>
          {problem.message}
        </Callout>
      )}
    </>
  )
}

/** The mark beside the label of a field that may stay empty. */
export function Optional() {
  return <span className="text-sm font-normal text-ink-faint">{t`Optional`}</span>
}
