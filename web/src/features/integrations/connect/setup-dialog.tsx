import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { getOwn } from '#shared/get-own.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useBrand, useConfig } from '../../../lib/config.ts'
import { environmentLabels, type CatalogueCard } from '../state/catalogue-cards.ts'
import { getCardStatus } from '../state/connection-status.ts'
import { clientIdField, CredentialFields, type SetupValues } from './credential-fields.tsx'
import { PortalLinks } from './portal-links.tsx'
import { CopyValue, SetupSteps } from './setup-steps.tsx'
import { EnvironmentBadge } from './environment-badge.tsx'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { getRedirectUri, type ManualRegistration, type OAuthValues } from '../oauth/oauth-flow.ts'
import { useConnectionActivity } from './use-connections.ts'
import { getCredentialFields, trimValues } from './setup-fields.ts'
import { buildSetupGuide } from './setup-guide.ts'
import { StatusIcon } from '../../../components/ui/status-icon.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { translateName } from '../../../lib/translate-name.ts'
import { translateSentence } from '../../../lib/translate.ts'
import { useInput } from '../../../lib/use-input.ts'

/** A sign-in that failed in the popup: its error, and the values that were entered for it. */
export interface FailedAttempt {
  message: string
  values: OAuthValues
}

/** @property `onConnect` and `onStartOAuth` resolve to the error message, if any */
export interface SetupDialogProps {
  card: CatalogueCard
  /** why the dialog is needed despite one-click sign-in */
  note?: string | undefined
  /** set for a server that takes either a Client ID that the user registers, or a key */
  manualRegistration?: ManualRegistration | undefined
  /** the error and the values of an attempt that failed in the popup */
  failedAttempt?: FailedAttempt | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** resolves to the error message, if any, as does `onStartOAuth` */
  onConnect: (
    card: CatalogueCard,
    credentials: Record<string, string>,
    parameters: Record<string, string>,
  ) => Promise<string | undefined>
  onStartOAuth: (card: CatalogueCard, values: OAuthValues) => Promise<string | undefined>
}

/** A validation or connection error. Without a field it concerns all values. */
interface Problem {
  message: string
  field?: string
}

/** The steps to connect an integration, with the form fields. */
export function SetupDialog({
  card,
  note,
  manualRegistration,
  failedAttempt,
  open,
  onOpenChange,
  onConnect,
  onStartOAuth,
}: SetupDialogProps) {
  const { entry, environment } = card
  const { assistantName } = useBrand()
  const hasDemoProviders = useConfig()?.demo.providers === true
  const formId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const input = useInput<SetupValues>(`setup/${card.id}`, {
    stored: {
      clientId: failedAttempt?.values.clientId ?? '',
      clientSecret: failedAttempt?.values.clientSecret ?? '',
      credentials: {},
      parameters: Object.fromEntries(
        entry.address_parameters.map(({ name, default: defaultValue }) => [
          name,
          getOwn(failedAttempt?.values.parameters ?? {}, name) ?? defaultValue ?? '',
        ]),
      ),
    },
  })
  const { clientId, clientSecret, credentials, parameters } = input.value
  const activity = useConnectionActivity()(card.id)
  const isConnecting = activity === 'connecting'
  const [problem, setProblem] = useState<Problem>()

  const [prefersKey, setPrefersKey] = useState(false)
  const ownClient = prefersKey ? undefined : manualRegistration
  const usesOAuth = entry.auth_type === 'oauth2' || ownClient !== undefined
  const needsClientId = usesOAuth && !entry.preconfigured
  const isAuthTypeUnknown = !usesOAuth && entry.auth_type === 'unknown'
  const usesKeys = !usesOAuth && (entry.auth_type === 'api_key' || isAuthTypeUnknown)
  const guide = buildSetupGuide(
    {
      // a provider's guide is for its own app, not for one at this server
      id: ownClient ? '' : entry.id,
      name: entry.name,
      provider: ownClient ? '' : entry.provider,
      authType: usesOAuth ? 'oauth2' : entry.auth_type,
      documentationUrl: entry.setup?.docsUrl ?? entry.config.documentation_url,
      setupUrl: entry.setup?.setupUrl,
      sandboxSetupUrl: entry.setup?.sandboxSetupUrl,
      appType: entry.setup && translateName(entry.setup.appType),
      scopes: entry.oauth_config?.scopes,
      setupInstructions: entry.config.setup_instructions,
      requiredCredentials: entry.config.required_credentials,
    },
    { environment, redirectUri: ownClient?.clientRedirectUri ?? getRedirectUri(), assistantName },
  )
  const keys = usesKeys ? getCredentialFields(entry) : []
  const requiredNames = entry.config.required_credentials ?? []
  const lastStep = guide.steps.length - 1
  const isSimulated = hasDemoProviders && entry.namespace === undefined && needsClientId && !ownClient
  // a phone shows one step at a time: after a failed attempt and for a simulated provider the last one, which has the fields
  const [currentStep, setCurrentStep] = useState(failedAttempt || isSimulated ? lastStep : 0)
  const status = getCardStatus(card.connection, useNow())
  const requiredFields = [
    ...entry.address_parameters
      .filter(({ optional }) => !optional)
      .map(({ name, label }) => ({
        field: name,
        label: translateName(label),
        value: getOwn(parameters, name),
      })),
    ...(needsClientId ? [{ field: clientIdField, label: t`Client ID`, value: clientId }] : []),
    ...(isAuthTypeUnknown
      ? []
      : keys.map(({ name, label }) => ({ field: name, label, value: getOwn(credentials, name) }))),
  ]
  const missingField = requiredFields.find(({ value = '' }) => value.trim() === '')
  // the service rejects all values together: its error is shown at the last field
  const lastField = needsClientId ? clientIdField : keys.at(-1)?.name
  const errorAt = (field: string) =>
    problem && (problem.field ?? lastField) === field ? problem.message : undefined
  useEffect(() => {
    if (problem) formRef.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus()
  }, [problem])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (activity !== undefined) return
    if (missingField)
      return setProblem({
        message: t`${{ field: missingField.label }} is required to continue`,
        field: missingField.field,
      })
    setProblem(undefined)
    const failure = usesOAuth
      ? await onStartOAuth(card, {
          clientId,
          clientSecret,
          parameters: trimValues(parameters),
          ...(ownClient && { redirectUri: ownClient.clientRedirectUri }),
        })
      : await onConnect(card, trimValues(credentials), trimValues(parameters))
    if (failure !== undefined) return setProblem({ message: failure })
    input.reset()
    setCurrentStep(0)
    onOpenChange(false)
  }

  const environmentLabel = environmentLabels[environment]
  const { reconnect } = card.connection ?? {}
  const reason = note ?? (reconnect && translateSentence(describeReconnectReason(entry.name, reconnect)))
  const publisher = entry.namespace && describePublisher(entry.namespace, entry.config.remote_url)

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      // while it connects, closing the dialog must not discard the values: they are needed again if that fails
      inputs={isConnecting ? [] : [input]}
      wide
      title={t`Setup ${entry.name}`}
      icon={<IntegrationTile name={entry.name} icon={entry.icon ?? entry.config.icon} />}
      description={
        <span className="grid gap-1 text-sm">
          {publisher !== undefined && <span className="wrap-anywhere">{publisher}</span>}
          <span className="flex items-center gap-2">
            <EnvironmentBadge isSandbox={environment === 'sandbox'} />
            <StatusIcon variant={status.variant} />
            <span className="truncate">{status.text}</span>
          </span>
        </span>
      }
      links={<PortalLinks {...guide} />}
      footer={
        <>
          {usesOAuth && (
            <p
              className={clsx(
                'me-auto text-sm text-ink-muted max-sm:min-w-full',
                currentStep < lastStep && 'max-sm:hidden',
              )}
            >
              {t`You'll be redirected to complete authentication`}
            </p>
          )}
          {currentStep < lastStep && (
            <Button variant="soft" className="sm:hidden" onClick={() => setCurrentStep(currentStep + 1)}>
              {t`Next`}
            </Button>
          )}
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={activity !== undefined}
            // a click reports the missing field
            aria-disabled={missingField !== undefined}
            className={clsx('min-w-0 max-sm:shrink', currentStep < lastStep && 'max-sm:hidden')}
          >
            <span className="truncate">
              {isConnecting
                ? t`Connecting to ${{ environment: environmentLabel }}...`
                : t`Connect to ${entry.name} ${{ environment: environmentLabel }}`}
            </span>
          </Button>
        </>
      }
    >
      <form
        ref={formRef}
        id={formId}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid gap-5"
      >
        {failedAttempt ? (
          <Callout variant="danger">{failedAttempt.message}</Callout>
        ) : (
          reason !== undefined && <Callout variant="info">{reason}</Callout>
        )}
        {manualRegistration && (
          <button
            type="button"
            className="link justify-self-start font-medium"
            onClick={() => {
              setPrefersKey(!prefersKey)
              setCurrentStep(0)
              setProblem(undefined)
            }}
          >
            {prefersKey ? t`Use a Client ID instead` : t`Use an API key instead`}
          </button>
        )}
        {needsClientId && !ownClient && (
          <p className="text-sm text-ink-muted">
            {isSimulated
              ? t`${entry.provider} is simulated on this computer: any Client ID works.`
              : t`An administrator can register an app at ${entry.provider} once for all users. You then connect without a Client ID.`}
          </p>
        )}
        <div className="flex gap-2 sm:hidden">
          <PortalLinks {...guide} />
        </div>
        <SetupSteps
          steps={guide.steps}
          currentStep={currentStep}
          onBack={() => setCurrentStep(Math.max(0, currentStep - 1))}
          fields={
            <CredentialFields
              entry={entry}
              needsClientId={needsClientId}
              keys={keys}
              areKeysOptional={isAuthTypeUnknown}
              input={input}
              onInput={() => setProblem(undefined)}
              errorAt={errorAt}
              error={(problem?.field ?? lastField) === undefined ? problem?.message : undefined}
            />
          }
        />
        {requiredNames.length > 0 && (
          <section
            className={clsx('rounded-md px-4 py-3 hairline', currentStep < lastStep && 'max-sm:hidden')}
          >
            <h3 className="font-medium">{t`Required Credentials`}</h3>
            <ul>
              {requiredNames.map((name) => (
                <li key={name} className="flex items-center gap-2">
                  <code className="min-w-0 flex-1 truncate font-mono text-xs">{name}</code>
                  <CopyValue label={name} value={name} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </form>
    </Dialog>
  )
}

/** The publisher, and the host that receives the credentials. */
function describePublisher(namespace: string, url: string | undefined): string {
  // Safari has no URL.parse before 18
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
  return host === undefined
    ? t`Published by ${{ publisher: namespace }}`
    : t`Published by ${{ publisher: namespace }}, answers at ${host}`
}
