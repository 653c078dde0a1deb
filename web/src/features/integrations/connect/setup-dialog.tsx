import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useId, useState } from 'react'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { StatusIcon } from '../../../components/ui/status-icon.tsx'
import { useBrand, useConfig } from '../../../lib/api/config.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { getRedirectUri, type ManualRegistration, type OAuthValues } from '../oauth/oauth-flow.ts'
import { type CatalogueCard, environmentLabels } from '../state/catalogue-cards.ts'
import { getCardStatus } from '../state/connection-status.ts'
import { CredentialFields } from './credential-fields.tsx'
import { EnvironmentBadge } from './environment-badge.tsx'
import { getSetupNeeds } from './setup-fields.ts'
import { buildSetupGuide, toGuideInput } from './setup-guide.ts'
import { CopyValue } from './copy-value.tsx'
import type { ConnectFailure } from './report-connection-error.ts'
import { SetupSteps } from './setup-steps.tsx'
import { useConnectionActivity } from './connection-activity.ts'
import { useSetupForm } from './use-setup-form.ts'
import { BookOpen, ExternalLink, type LucideIcon } from 'lucide-react'
import { buttonClass, Button } from '../../../components/ui/button.tsx'

/** A sign-in that failed in the popup: its error, and the values that were entered for it. */
export interface FailedAttempt {
  message: string
  cause?: unknown
  values: OAuthValues
}

/** What the setup dialog shows, and how it connects. */
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
  /** resolves to the failure, if any, as does `onStartOAuth` */
  onConnect: (
    card: CatalogueCard,
    credentials: Record<string, string>,
    parameters: Record<string, string>,
  ) => Promise<ConnectFailure | undefined>
  onStartOAuth: (card: CatalogueCard, values: OAuthValues) => Promise<ConnectFailure | undefined>
}

/** What has to be entered to connect an integration, and the steps to it. @param ownClient set if the user registers a client at the server */
function useSetupGuide({ entry, environment }: CatalogueCard, ownClient: ManualRegistration | undefined) {
  const { assistantName } = useBrand()
  const hasDemoProviders = useConfig()?.demo.providers === true
  const needs = getSetupNeeds(entry, ownClient)
  const registersApp = needs.needsClientId && !ownClient
  const guide = buildSetupGuide(toGuideInput(entry, needs, ownClient), {
    environment,
    redirectUri: ownClient?.clientRedirectUri ?? getRedirectUri(),
    assistantName,
  })
  const isSimulated = hasDemoProviders && entry.namespace === undefined && registersApp
  return { needs, guide, registersApp, isSimulated }
}

/** The steps to connect an integration, with the form fields. */
export function SetupDialog(props: SetupDialogProps) {
  const { card, note, manualRegistration, failedAttempt, open, onOpenChange } = props
  const { entry } = card
  const formId = useId()
  const isConnecting = useConnectionActivity()(card.id) === 'connecting'

  const [prefersKey, setPrefersKey] = useState(false)
  const ownClient = prefersKey ? undefined : manualRegistration
  const { needs, guide, registersApp, isSimulated } = useSetupGuide(card, ownClient)
  const lastStep = guide.steps.length - 1
  // a phone shows one step at a time: after a failed attempt and for a simulated provider the last one, which has the fields
  const [currentStep, setCurrentStep] = useState(failedAttempt || isSimulated ? lastStep : 0)
  const isBeforeFields = currentStep < lastStep
  const { formRef, input, isComplete, submit, clearProblem, ...errors } = useSetupForm(
    props,
    needs,
    ownClient,
    () => onOpenChange(false),
  )
  /** from a Client ID to a key, or back: other steps, other fields */
  const switchKind = () => {
    setPrefersKey(!prefersKey)
    setCurrentStep(0)
    clearProblem()
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      // while it connects, closing the dialog must not discard the values: they are needed again if that fails
      inputs={isConnecting ? [] : [input]}
      wide
      title={t`Setup ${entry.name}`}
      icon={<IntegrationTile name={entry.name} icon={entry.icon ?? entry.config.icon} />}
      description={<ConnectionInfo card={card} />}
      links={<PortalLinks {...guide} />}
      footer={
        <SetupFooter
          card={card}
          formId={formId}
          isComplete={isComplete}
          usesOAuth={needs.usesOAuth}
          onNext={isBeforeFields ? () => setCurrentStep(currentStep + 1) : undefined}
        />
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
          <Callout variant="danger" error={failedAttempt.cause ?? failedAttempt}>
            {failedAttempt.message}
          </Callout>
        ) : (
          <SetupReason card={card} note={note} />
        )}
        {manualRegistration && (
          <button type="button" className="link justify-self-start font-medium" onClick={switchKind}>
            {prefersKey ? t`Use a Client ID instead` : t`Use an API key instead`}
          </button>
        )}
        {registersApp && <RegistrationNote entry={entry} isSimulated={isSimulated} />}
        <div className="flex gap-2 sm:hidden">
          <PortalLinks {...guide} />
        </div>
        <SetupSteps
          steps={guide.steps}
          appType={guide.appType}
          currentStep={currentStep}
          onBack={() => setCurrentStep(Math.max(0, currentStep - 1))}
          fields={
            <CredentialFields entry={entry} needs={needs} input={input} onInput={clearProblem} {...errors} />
          }
        />
        <RequiredCredentials
          names={entry.config.required_credentials ?? []}
          className={clsx(isBeforeFields && 'max-sm:hidden')}
        />
      </form>
    </Dialog>
  )
}

/** The publisher, the environment, which the button to connect names, too, and the status. */
function ConnectionInfo({ card: { entry, environment, connection } }: { card: CatalogueCard }) {
  const status = getCardStatus(connection, useNow())
  return (
    <span className="grid gap-1 text-sm">
      {entry.namespace && (
        <span className="wrap-anywhere">{describePublisher(entry.namespace, entry.config.remote_url)}</span>
      )}
      <span className="flex items-center gap-2">
        <EnvironmentBadge isSandbox={environment === 'sandbox'} />
        <StatusIcon variant={status.variant} />
        <span className="truncate">{status.text}</span>
      </span>
    </span>
  )
}

/** What the user needs to know about the app that they register at the provider. */
const RegistrationNote = ({
  entry,
  isSimulated,
}: {
  entry: CatalogueCard['entry']
  isSimulated: boolean
}) => (
  <p className="text-sm text-ink-muted">
    {isSimulated
      ? t`${entry.provider} is simulated on this computer: any Client ID works.`
      : t`An administrator can register an app at ${entry.provider} once for all users. You then connect without a Client ID.`}
  </p>
)

/** Why the dialog is needed, if there is more to it than a new connection. */
function SetupReason({ card: { entry, connection }, note }: Pick<SetupDialogProps, 'card' | 'note'>) {
  const { reconnect } = connection ?? {}
  const reason = note ?? (reconnect && translateSentence(describeReconnectReason(entry.name, reconnect)))
  return reason !== undefined && <Callout variant="info">{reason}</Callout>
}

function RequiredCredentials({ names, className }: { names: readonly string[]; className: string }) {
  if (names.length === 0) return null
  return (
    <section className={clsx('rounded-md px-4 py-3 hairline', className)}>
      <h3 className="font-medium">{t`Required Credentials`}</h3>
      <ul>
        {names.map((name) => (
          <li key={name} className="flex items-center gap-2">
            <code className="min-w-0 flex-1 truncate font-mono text-xs">{name}</code>
            <CopyValue label={name} value={name} />
          </li>
        ))}
      </ul>
    </section>
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

/** Links to the provider's setup page and documentation, as far as there are any. */
function PortalLinks({ setupUrl, docsUrl }: { setupUrl: string | undefined; docsUrl: string | undefined }) {
  return (
    <>
      {setupUrl !== undefined && <PortalLink url={setupUrl} label={t`Setup Portal`} Icon={ExternalLink} />}
      {docsUrl !== undefined && <PortalLink url={docsUrl} label={t`Docs`} Icon={BookOpen} />}
    </>
  )
}

function PortalLink({ url, label, Icon }: { url: string; label: string; Icon: LucideIcon }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass({ size: 'sm', className: 'text-ink' })}
    >
      <Icon aria-hidden size={16} />
      {label}
    </a>
  )
}

interface ConnectButtonProps {
  card: CatalogueCard
  formId: string
  /** whether all required fields are filled in */
  isComplete: boolean
}

/** The buttons of the setup dialog. @param props.onNext shows the next step, on a phone; undefined at the last one */
function SetupFooter({
  usesOAuth,
  onNext,
  ...connectButton
}: ConnectButtonProps & { usesOAuth: boolean; onNext: (() => void) | undefined }) {
  const hiddenOnPhone = onNext && 'max-sm:hidden'
  return (
    <>
      {usesOAuth && (
        <p className={clsx('me-auto text-sm text-ink-muted max-sm:min-w-full', hiddenOnPhone)}>
          {t`You'll be redirected to complete authentication`}
        </p>
      )}
      {onNext && (
        <Button variant="soft" className="sm:hidden" onClick={onNext}>
          {t`Next`}
        </Button>
      )}
      <ConnectButton {...connectButton} className={hiddenOnPhone} />
    </>
  )
}

function ConnectButton({
  card: { id, entry, environment },
  formId,
  isComplete,
  className,
}: ConnectButtonProps & { className: string | undefined }) {
  const activity = useConnectionActivity()(id)
  const environmentLabel = environmentLabels[environment]
  return (
    <Button
      type="submit"
      form={formId}
      variant="primary"
      disabled={activity !== undefined}
      // a click reports the missing field
      aria-disabled={!isComplete}
      className={clsx('min-w-0 max-sm:shrink', className)}
    >
      <span className="truncate">
        {activity === 'connecting'
          ? t`Connecting to ${{ environment: environmentLabel }}...`
          : t`Connect to ${entry.name} ${{ environment: environmentLabel }}`}
      </span>
    </Button>
  )
}
