import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProviderApps } from '#shared/contracts/admin.ts'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { CardSection, SettingRow, SettingsCard } from '../../../components/settings-card.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useCopy } from '../../../components/use-copy.ts'
import { useConfig } from '../../../lib/config.ts'
import { providerAppsQuery } from '../admin-queries.ts'
import { Loaded } from '../../../components/loaded.tsx'
import * as texts from './texts.ts'

/** Which integrations have an app of the operator, and how to set one. Nothing of an app itself is shown. */
export function AppsSection() {
  const query = useQuery(providerAppsQuery)
  const { copy } = useCopy({ title: texts.redirectUrlCopied })
  const redirectUrl = `${location.origin}${oauthCallbackPath}`
  return (
    <SettingsCard title={texts.apps} subtitle={texts.appsHint}>
      <CardSection>
        <SettingRow
          title={texts.redirectUrl}
          description={
            <>
              <code className="wrap-anywhere text-ink">{redirectUrl}</code>
              <p>{texts.redirectUrlHint}</p>
            </>
          }
        >
          <Button size="sm" aria-label={texts.copyRedirectUrl} onClick={() => void copy(redirectUrl)}>
            <Copy aria-hidden size={14} />
            {texts.copyLabel}
          </Button>
        </SettingRow>
      </CardSection>
      <CardSection>
        <Loaded query={query} label={texts.loading} failure={texts.notLoaded}>
          {(apps) => <Integrations apps={apps} />}
        </Loaded>
      </CardSection>
      <CardSection>
        <HowTo />
      </CardSection>
    </SettingsCard>
  )
}

function Integrations({ apps: { problem, integrations, unknown } }: { apps: ProviderApps }) {
  const set = integrations.filter(({ has_app }) => has_app)
  return (
    <div className="grid gap-3">
      {problem && <Callout variant="danger">{texts.problems[problem]}</Callout>}
      {unknown.length > 0 && <Callout variant="danger">{texts.unknown(unknown)}</Callout>}
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium">
        {texts.integrations}{' '}
        <span className="text-sm font-normal text-ink-muted">
          {texts.counts(set.length, integrations.length)}
        </span>
      </h3>
      <ul aria-label={texts.integrations} className="grid grid-cols-2 gap-x-8 gap-y-2 max-sm:grid-cols-1">
        {integrations.map(({ id, name, has_app: hasApp }) => (
          <li key={id} className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              {name} <code className="text-sm text-ink-muted">{id}</code>
            </span>
            <Badge variant={hasApp ? 'success' : 'quiet'}>{hasApp ? texts.hasApp : texts.hasNoApp}</Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

function HowTo() {
  const isLocal = useConfig()?.mailbox !== undefined
  return (
    <>
      <h3 className="font-medium">{texts.howTo}</h3>
      <ol className="mt-2 grid list-decimal grid-cols-1 gap-3 ps-5 text-ink-muted marker:normal-nums">
        <li>{texts.register}</li>
        <li>
          {texts.enter}
          <Code>{texts.example}</Code>
        </li>
        <li>
          {isLocal ? texts.startLocally : texts.storeOnAws}
          <Code>{isLocal ? texts.localCommand : texts.awsCommands}</Code>
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
