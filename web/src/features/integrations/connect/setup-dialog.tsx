import clsx from 'clsx'
import { BookOpen, ExternalLink } from 'lucide-react'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { reconnectSentence } from '#shared/reconnect-reason.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { PasswordField } from '../../../components/ui/password-field.tsx'
import { useBrand } from '../../../lib/config.ts'
import { environmentLabels, type CatalogueCard } from '../catalogue/catalogue-cards.ts'
import { cardStatus } from '../state/connection-status.ts'
import { CopyValue, SetupSteps } from './setup-steps.tsx'
import { EnvironmentBadge } from '../catalogue/integration-card.tsx'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { redirectUri, type OAuthValues } from '../oauth/oauth-flow.ts'
import { credentialFields, filled } from './setup-fields.ts'
import { setupGuide } from './setup-guide.ts'
import { StatusGlyph } from '../components/status-icon.tsx'
import { useNow } from '../state/use-now.ts'

export interface FailedAttempt {
  sentence: string
  values: OAuthValues
}

interface SetupDialogProps {
  card: CatalogueCard
  /** why the dialog is needed although one click was to do it */
  note?: string | undefined
  /** an attempt that failed in the provider's window: why, and what was typed for it */
  failedAttempt?: FailedAttempt | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** both give the sentence to show when it failed */
  onConnect: (
    card: CatalogueCard,
    credentials: Record<string, string>,
    parameters: Record<string, string>,
  ) => Promise<string | undefined>
  onStartOAuth: (card: CatalogueCard, values: OAuthValues) => Promise<string | undefined>
}

const clientIdField = 'clientId'

/** Why the dialog does not go on. Without a field it concerns all that was typed. */
interface Problem {
  sentence: string
  field?: string
}

/** How to connect one integration, step by step, and the fields to do it with. */
export function SetupDialog({
  card,
  note,
  failedAttempt,
  open,
  onOpenChange,
  onConnect,
  onStartOAuth,
}: SetupDialogProps) {
  const { entry, environment } = card
  const { assistantName } = useBrand()
  const formId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const [clientId, setClientId] = useState(failedAttempt?.values.clientId ?? '')
  const [clientSecret, setClientSecret] = useState(failedAttempt?.values.clientSecret ?? '')
  const [credentials, setCredentials] = useState<Record<string, string>>({})
  const [parameters, setParameters] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      entry.address_parameters.map(({ name, default: usual }) => [
        name,
        failedAttempt?.values.parameters[name] ?? usual ?? '',
      ]),
    ),
  )
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()

  const usesOAuth = entry.auth_type === 'oauth2'
  const needsClientId = usesOAuth && !entry.preconfigured
  const asksServer = entry.auth_type === 'unknown'
  const usesKeys = entry.auth_type === 'api_key' || asksServer
  const guide = setupGuide(
    {
      id: entry.id,
      name: entry.name,
      provider: entry.provider,
      authType: entry.auth_type,
      documentationUrl: entry.setup?.docsUrl ?? entry.config.documentation_url,
      setupUrl: entry.setup?.setupUrl,
      appType: entry.setup?.appType,
      scopes: entry.oauth_config?.scopes,
      setupInstructions: entry.config.setup_instructions,
      requiredCredentials: usesKeys ? [] : entry.config.required_credentials,
    },
    { environment, redirectUri: redirectUri(), assistantName },
  )
  const keys = usesKeys ? credentialFields(entry) : []
  const needed = entry.config.required_credentials ?? []
  const last = guide.instructions.length - 1
  // who has tried already knows the steps: on a phone the last one is shown, with what was typed
  const [current, setCurrent] = useState(failedAttempt ? last : 0)
  const status = cardStatus(card.integration, useNow())
  const required = [
    ...entry.address_parameters
      .filter(({ optional }) => !optional)
      .map(({ name, label }) => ({ field: name, label, value: parameters[name] })),
    ...(needsClientId ? [{ field: clientIdField, label: 'Client ID', value: clientId }] : []),
    ...(asksServer ? [] : keys.map(({ name, label }) => ({ field: name, label, value: credentials[name] }))),
  ]
  const missing = required.find(({ value = '' }) => value.trim() === '')
  // a refusal concerns everything that was typed: it stands at the last field
  const lastField = needsClientId ? clientIdField : keys.at(-1)?.name
  const errorAt = (field: string) =>
    problem && (problem.field ?? lastField) === field ? problem.sentence : undefined
  useEffect(() => {
    if (problem) formRef.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus()
  }, [problem])

  const typed = (write: () => void) => {
    write()
    setProblem(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (missing)
      return setProblem({ sentence: `${missing.label} is required to continue`, field: missing.field })
    setBusy(true)
    setProblem(undefined)
    const failure = usesOAuth
      ? await onStartOAuth(card, { clientId, clientSecret, parameters: filled(parameters) })
      : await onConnect(card, filled(credentials), filled(parameters))
    setBusy(false)
    if (failure !== undefined) return setProblem({ sentence: failure })
    setClientId('')
    setClientSecret('')
    setCredentials({})
    setCurrent(0)
    onOpenChange(false)
  }

  const label = environmentLabels[environment]
  const { reconnect } = card.integration ?? {}
  const reason = note ?? (reconnect && reconnectSentence(entry.name, reconnect))
  const publisher = entry.namespace && describePublisher(entry.namespace, entry.config.remote_url)
  const fields = (
    <>
      {entry.address_parameters.map((one) => (
        <TextField
          key={one.name}
          label={one.label}
          labelAside={one.optional ? <Optional /> : undefined}
          placeholder={one.example}
          autoComplete="off"
          spellCheck={false}
          error={errorAt(one.name)}
          value={parameters[one.name] ?? ''}
          onChange={(event) => typed(() => setParameters({ ...parameters, [one.name]: event.target.value }))}
        />
      ))}
      {needsClientId && (
        <>
          <TextField
            label={`Paste your ${entry.provider} Client ID:`}
            placeholder={`Enter ${entry.provider} Client ID`}
            autoComplete="off"
            spellCheck={false}
            error={errorAt(clientIdField)}
            value={clientId}
            onChange={(event) => typed(() => setClientId(event.target.value))}
          />
          <PasswordField
            label="Client Secret"
            labelAside={<Optional />}
            hint="Many providers ask for it. Kept sealed, and never shown again."
            autoComplete="off"
            value={clientSecret}
            onChange={(event) => typed(() => setClientSecret(event.target.value))}
          />
        </>
      )}
      {keys.map((key) => {
        const Field = key.secret ? PasswordField : TextField
        return (
          <Field
            key={key.name}
            label={key.label}
            labelAside={asksServer ? <Optional /> : undefined}
            hint={asksServer ? 'Only where the server asks for it.' : undefined}
            placeholder={key.placeholder}
            autoComplete="off"
            spellCheck={false}
            error={errorAt(key.name)}
            value={credentials[key.name] ?? ''}
            onChange={(event) =>
              typed(() => setCredentials({ ...credentials, [key.name]: event.target.value }))
            }
          />
        )
      })}
      {problem && problem.field === undefined && lastField === undefined && (
        <p role="alert" className="text-sm text-danger-ink">
          {problem.sentence}
        </p>
      )}
    </>
  )

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      wide
      title={`Setup ${entry.name}`}
      lead={<IntegrationTile name={entry.name} icon={entry.icon ?? entry.config.icon} />}
      description={
        <span className="grid gap-1 text-sm">
          {publisher !== undefined && <span className="wrap-anywhere">{publisher}</span>}
          <span className="flex items-center gap-2">
            <EnvironmentBadge sandbox={environment === 'sandbox'} />
            <StatusGlyph tone={status.tone} />
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
                'mr-auto text-sm text-ink-muted max-sm:basis-full',
                current < last && 'max-sm:hidden',
              )}
            >
              You'll be redirected to complete authentication
            </p>
          )}
          {current < last && (
            <Button tone="soft" className="sm:hidden" onClick={() => setCurrent(current + 1)}>
              Next
            </Button>
          )}
          <Button
            type="submit"
            form={formId}
            tone="primary"
            disabled={busy}
            // pressed all the same, it says what is missing
            aria-disabled={missing !== undefined}
            className={clsx('min-w-0 max-sm:shrink', current < last && 'max-sm:hidden')}
          >
            <span className="truncate">
              {busy ? `Connecting to ${label}...` : `Connect to ${entry.name} ${label}`}
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
          <Notice tone="danger">{failedAttempt.sentence}</Notice>
        ) : (
          reason !== undefined && <Notice tone="info">{reason}</Notice>
        )}
        <div className="flex gap-2 sm:hidden">
          <PortalLinks {...guide} />
        </div>
        <SetupSteps
          steps={guide.instructions}
          current={current}
          onBack={() => setCurrent(Math.max(0, current - 1))}
          fields={fields}
        />
        {needed.length > 0 && (
          <section className={clsx('rounded-md px-4 py-3 hairline', current < last && 'max-sm:hidden')}>
            <h3 className="font-medium">Required Credentials</h3>
            <ul>
              {needed.map((name) => (
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

/** Whom one is about to trust: the publisher, and the host that gets what is typed. */
function describePublisher(namespace: string, url: string | undefined): string {
  // Safari has no URL.parse before 18
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
  return host === undefined ? `Published by ${namespace}` : `Published by ${namespace}, answers at ${host}`
}

function Optional() {
  return <span className="text-sm font-normal text-ink-faint">Optional</span>
}

function PortalLinks({ setupUrl, docsUrl }: { setupUrl: string | undefined; docsUrl: string | undefined }) {
  return (
    <>
      {setupUrl !== undefined && (
        <a
          href={setupUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ size: 'sm', className: 'text-ink' })}
        >
          <ExternalLink aria-hidden size={16} />
          Setup Portal
        </a>
      )}
      {docsUrl !== undefined && (
        <a
          href={docsUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ size: 'sm', className: 'text-ink' })}
        >
          <BookOpen aria-hidden size={16} />
          Docs
        </a>
      )}
    </>
  )
}
