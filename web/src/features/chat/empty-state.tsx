import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '../../lib/navigation/router.tsx'
import { LayoutGrid, Mail, Sparkles } from 'lucide-react'
import { Logo } from '../../components/ui/logo.tsx'
import { integrationsPath } from '../../lib/navigation/paths.ts'

const describeAbilities = (integrations: number | undefined) =>
  integrations
    ? plural(integrations, {
        one: 'Your AI assistant with # connected integration',
        other: `Your AI assistant with # connected integrations`,
      })
    : t`Your AI assistant with powerful capabilities`

const prompts = [
  { text: t`What can you help me with?`, Icon: Sparkles },
  { text: t`Show my recent emails`, Icon: Mail },
  { text: t`What integrations do I have?`, Icon: LayoutGrid },
] as const

/** The heading of a new chat, above its composer: the assistant's name, and how many integrations it can use. */
export function Greeting({
  assistantName,
  connectedCount,
}: {
  assistantName: string
  /** undefined while it is unknown */
  connectedCount: number | undefined
}) {
  return (
    <div className="max-sm:my-auto">
      <h1 className="flex items-center gap-3 text-2xl font-semibold">
        <Logo size={34} className="-ms-1 shrink-0" />
        {t`Hi, I'm ${assistantName}`}
      </h1>
      <p className="mt-1 text-base/6 text-balance text-ink-muted">{describeAbilities(connectedCount)}</p>
    </div>
  )
}

/** Buttons that send a first message. */
export function QuickPrompts({
  connectedCount,
  mayUseTools,
  onPrompt,
}: {
  connectedCount: number | undefined
  /** whether the groups of the user allow any */
  mayUseTools: boolean
  onPrompt: (text: string) => void
}) {
  return (
    <>
      <div
        role="group"
        aria-label={t`Starters`}
        className="flex flex-wrap gap-2 max-sm:flex-col max-sm:gap-0 max-sm:divide-y max-sm:divide-line max-sm:border-y max-sm:border-line"
      >
        {(mayUseTools ? prompts : prompts.slice(0, 1)).map(({ text, Icon }) => (
          <button
            key={text}
            type="button"
            onClick={() => onPrompt(text)}
            className="inline-flex h-9 items-center gap-2 rounded-md px-3 text-start text-ui text-ink-muted transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink sm:hairline max-sm:h-11 max-sm:rounded-none max-sm:px-1 max-sm:text-ink"
          >
            <Icon aria-hidden size={16} className="shrink-0 text-ink-faint" />
            {text}
          </button>
        ))}
      </div>
      {/* reserves the space of a second line, so that nothing moves when it appears */}
      <p className="mt-3 min-h-10 text-sm text-balance text-ink-faint max-sm:px-1">
        {t`Start by typing a message or choosing a quick action above`}
        {connectedCount === 0 && mayUseTools && (
          <>
            <br />
            <Trans>
              For mail, files and contacts,{' '}
              <Link to={integrationsPath} className="link">
                connect a tool
              </Link>
              .
            </Trans>
          </>
        )}
      </p>
    </>
  )
}
