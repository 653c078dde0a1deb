import { plural, t } from '@lingui/core/macro'
import { formatList } from '../../../lib/text/locale.ts'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProviderApps } from '#shared/contracts/admin.ts'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { providerAppsQuery } from '../admin-queries.ts'
import { QueryContent } from '../../../components/query-content.tsx'

const exampleFile = `{
  "gmail": { "clientId": "…", "clientSecret": "…" },
  "slack": { "clientId": "…", "clientSecret": "…" }
}`
const localCommand = 'PROVIDER_APPS=apps.json npm start'
const awsCommands = `npm run secret -- set juno/apps --file apps.json
npm run deploy -- -c providerAppsSecretName=juno/apps`

const describeAppCount = (count: number, all: number) =>
  plural(count, { one: `# of ${all} is set`, other: `# of ${all} are set` })

const problemTexts: Record<NonNullable<ProviderApps['problem']>, string> = {
  invalid: t`The list of apps is not valid, so none is used: each id needs an object with a clientId. The log of the function says where.`,
  unreadable: t`The list of apps could not be read, so none is used. The log of the function says why.`,
}

function describeUnknownIds(ids: readonly string[]) {
  const count = ids.length
  const list = formatList(ids)
  return plural(count, {
    1: `This id in the list belongs to no integration below, and its app is not used: ${list}`,
    other: `These ids in the list belong to no integration below, and their apps are not used: ${list}`,
  })
}

/** Which integrations have an app of the operator, and how to set one. Nothing of an app itself is shown. */
export function AppsSection() {
  const query = useQuery(providerAppsQuery)
  const { copy } = useCopy({ title: t`Redirect URL copied` })
  const redirectUrl = `${location.origin}${oauthCallbackPath}`
  return (
    <SettingsCard
      title={t`Apps at providers`}
      subtitle={t`An app that you register once at a provider is used by everybody: they connect in one click, without a Client ID.`}
    >
      <CardSection>
        <SettingRow
          title={t`Redirect URL`}
          description={
            <>
              <code className="wrap-anywhere text-ink">{redirectUrl}</code>
              <p>{t`Every app is registered with exactly this one.`}</p>
            </>
          }
        >
          <Button size="sm" aria-label={t`Copy the redirect URL`} onClick={() => void copy(redirectUrl)}>
            <Copy aria-hidden size={14} />
            {t`Copy`}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <QueryContent query={query} label={t`Loading the apps`} failure={t`The apps could not be loaded.`}>
          {(apps) => <Integrations apps={apps} />}
        </QueryContent>
      </CardSection>
      <CardSection>
        <HowTo />
      </CardSection>
    </SettingsCard>
  )
}

function Integrations({ apps: { problem, integrations, unknown } }: { apps: ProviderApps }) {
  const appCount = integrations.filter(({ has_app }) => has_app).length
  return (
    <div className="grid gap-3">
      {problem && <Callout variant="warning">{problemTexts[problem]}</Callout>}
      {unknown.length > 0 && <Callout variant="warning">{describeUnknownIds(unknown)}</Callout>}
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium">
        {t`Integrations that take an app`}{' '}
        <span className="text-sm font-normal text-ink-muted">
          {describeAppCount(appCount, integrations.length)}
        </span>
      </h3>
      <ul
        aria-label={t`Integrations that take an app`}
        className="grid grid-cols-2 gap-x-8 gap-y-2 max-sm:grid-cols-1"
      >
        {integrations.map(({ id, name, has_app: hasApp }) => (
          <li key={id} className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              {name} <code className="text-sm text-ink-muted">{id}</code>
            </span>
            <Badge variant={hasApp ? 'success' : 'quiet'}>
              {hasApp ? t({ message: 'Set', context: 'an app is registered' }) : t`Not set`}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

function HowTo() {
  // only the local server has a mailbox of its own
  const isLocal = useConfig()?.mailbox !== undefined
  return (
    <>
      <h3 className="font-medium">{t`How to set them`}</h3>
      <ol className="mt-2 grid list-decimal grid-cols-1 gap-3 ps-5 text-ink-muted marker:normal-nums">
        <li>{t`Register an OAuth app at the provider, with the redirect URL above. “Setup” on the card of the integration says where, and with which permissions.`}</li>
        <li>
          {t`Put it into a file apps.json, under the id of the integration, beside the others:`}
          <Code>{exampleFile}</Code>
        </li>
        <li>
          {isLocal
            ? t`Start again with this file:`
            : t`Store the file in the account of this installation, and deploy once with the name of the secret. Later changes take effect within five minutes, without a deployment:`}
          <Code>{isLocal ? localCommand : awsCommands}</Code>
        </li>
      </ol>
    </>
  )
}

const Code = ({ children }: { children: ReactNode }) => (
  <pre
    translate="no"
    className="mt-1.5 wrap-anywhere whitespace-pre-wrap rounded-sm bg-surface-hover px-3 py-2.5 font-mono text-sm text-ink"
  >
    {children}
  </pre>
)
