import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { getOwn } from '#shared/get-own.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import type { ManualRegistration } from '../oauth/oauth-flow.ts'
import type { SetupDialogProps } from './setup-dialog.tsx'
import {
  clientIdField,
  findMissingField,
  trimValues,
  type SetupNeeds,
  type SetupValues,
} from './setup-fields.ts'
import { useConnectionActivity } from './connection-activity.ts'

/** A validation or connection error. Without a field it concerns all values. */
interface Problem {
  message: string
  field?: string
  /** what failed */
  cause?: unknown
}

/**
 * What is entered to connect an integration, what is wrong with it, and the attempt to connect.
 * @param ownClient set if the user registers a client at the server
 * @param onConnected called when the attempt succeeded, or went on in a popup
 */
export function useSetupForm(
  {
    card,
    failedAttempt,
    onConnect,
    onStartOAuth,
  }: Pick<SetupDialogProps, 'card' | 'failedAttempt' | 'onConnect' | 'onStartOAuth'>,
  needs: SetupNeeds,
  ownClient: ManualRegistration | undefined,
  onConnected: () => void,
) {
  const { address_parameters: addressParameters } = card.entry
  const input = useInput<SetupValues>(`setup/${card.id}`, {
    stored: {
      clientId: failedAttempt?.values.clientId ?? '',
      clientSecret: failedAttempt?.values.clientSecret ?? '',
      credentials: {},
      parameters: Object.fromEntries(
        addressParameters.map(({ name, default: defaultValue }) => [
          name,
          getOwn(failedAttempt?.values.parameters ?? {}, name) ?? defaultValue ?? '',
        ]),
      ),
    },
  })
  const activity = useConnectionActivity()(card.id)
  const [problem, setProblem] = useState<Problem>()
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem) formRef.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus()
  }, [problem])

  const missingField = findMissingField(addressParameters, needs, input.value)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (activity !== undefined) return
    if (missingField)
      return setProblem({
        message: t`${{ field: missingField.label }} is required to continue`,
        field: missingField.name,
      })
    setProblem(undefined)
    const { clientId, clientSecret, credentials, parameters } = input.value
    const failure = needs.usesOAuth
      ? await onStartOAuth(card, {
          clientId,
          clientSecret,
          parameters: trimValues(parameters),
          ...(ownClient && { redirectUri: ownClient.clientRedirectUri }),
        })
      : await onConnect(card, trimValues(credentials), trimValues(parameters))
    if (failure) {
      if (failure.message !== undefined) setProblem({ message: failure.message, cause: failure.cause })
      return
    }
    input.reset()
    onConnected()
  }

  // the service rejects all values together: its error is shown at the last field
  const lastField = needs.needsClientId ? clientIdField : needs.keys.at(-1)?.name
  const problemField = problem?.field ?? lastField
  return {
    formRef,
    input,
    isComplete: !missingField,
    submit,
    clearProblem: () => setProblem(undefined),
    errorAt: (field: string) => (field === problemField ? problem?.message : undefined),
    /** an error that belongs to no field */
    problem: problemField === undefined ? problem : undefined,
  }
}
