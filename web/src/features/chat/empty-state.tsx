import { EyeOff, LayoutGrid, Mail, Sparkles } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '../../components/ui/button.tsx'
import { Mark } from '../../components/ui/logo.tsx'

/** CHAT-05 to CHAT-07 */
const prompts = [
  { text: 'What can you help me with?', Icon: Sparkles },
  { text: 'Show my recent emails', Icon: Mail },
  { text: 'What integrations do I have?', Icon: LayoutGrid },
] as const

/** What a fresh chat shows (CHAT-02 to CHAT-09). */
export function EmptyState({
  assistantName,
  connectedIntegrations,
  isTemporary = false,
  onChooseTemporary,
  onPrompt,
}: {
  assistantName: string
  /** undefined when it is not known */
  connectedIntegrations: number | undefined
  /** nothing of the chat is to be stored */
  isTemporary?: boolean
  /** absent where the settings have chosen */
  onChooseTemporary?: ((isTemporary: boolean) => void) | undefined
  onPrompt: (text: string) => void
}) {
  return (
    <div className="flex flex-1 flex-col justify-center max-sm:justify-end max-sm:pb-4">
      <Mark size={44} className="-ml-[5px]" />
      <h1 className="mt-5 text-2xl font-semibold tracking-[-0.022em]">Hi, I'm {assistantName}</h1>
      <p className="mt-1 text-base/6 text-ink-muted">{`Your AI assistant with ${abilities(connectedIntegrations)}`}</p>
      <div className="mt-8 grid grid-cols-3 gap-3 max-sm:grid-cols-1 max-sm:gap-2">
        {prompts.map(({ text, Icon }) => (
          <button
            key={text}
            type="button"
            onClick={() => onPrompt(text)}
            className="group flex min-h-27 flex-col items-start justify-between gap-6 rounded-lg bg-surface-raised p-4 text-left text-ui font-medium hairline transition-shadow duration-(--duration-fast) hover:[--hairline:var(--color-line-control)] max-sm:min-h-14 max-sm:flex-row max-sm:items-center max-sm:justify-start max-sm:gap-3 max-sm:py-0"
          >
            <Icon
              aria-hidden
              size={20}
              strokeWidth={1.75}
              className="shrink-0 text-ink-faint group-hover:text-accent"
            />
            {text}
          </button>
        ))}
      </div>
      <p className="mt-4 text-sm text-balance text-ink-faint">
        Start by typing a message or choosing a quick action above
      </p>
      {/* has its place before it is known whether it is needed: nothing moves when it comes */}
      <p className="mt-1 min-h-5 text-sm text-ink-faint">
        {connectedIntegrations === 0 && (
          <>
            For mail, files and contacts,{' '}
            <Link to="/integrations" className="link">
              connect a tool
            </Link>
            .
          </>
        )}
      </p>
      {onChooseTemporary && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-faint">
          <Button
            size="sm"
            tone={isTemporary ? 'soft' : 'outline'}
            aria-pressed={isTemporary}
            aria-describedby="temporary-chat"
            onClick={() => onChooseTemporary(!isTemporary)}
          >
            <EyeOff aria-hidden size={16} />
            Temporary chat
          </Button>
          <span id="temporary-chat">Not stored, in no history</span>
        </p>
      )}
    </div>
  )
}

/** CHAT-03, CHAT-04, DEC-044 */
function abilities(connected: number | undefined): string {
  if (!connected) return 'powerful capabilities'
  return connected === 1 ? '1 connected integration' : `${connected} connected integrations`
}
