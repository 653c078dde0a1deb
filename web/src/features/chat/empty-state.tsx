import { EyeOff, LayoutGrid, Mail, Sparkles } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { Logo } from '../../components/ui/logo.tsx'
import { getModifierKey } from '../../lib/keys.ts'
import * as texts from './texts.tsx'

const prompts = [
  { text: texts.promptHelp, Icon: Sparkles },
  { text: texts.promptMails, Icon: Mail },
  { text: texts.promptIntegrations, Icon: LayoutGrid },
] as const

/** Shown in a new chat. */
export function EmptyState({
  assistantName,
  connectedCount,
  isTemporary = false,
  onChooseTemporary,
  onPrompt,
}: {
  assistantName: string
  /** undefined while it is unknown */
  connectedCount: number | undefined
  /** whether the chat will not be stored */
  isTemporary?: boolean
  /** absent if the settings decide */
  onChooseTemporary?: ((isTemporary: boolean) => void) | undefined
  onPrompt: (text: string) => void
}) {
  return (
    <div className="flex flex-1 flex-col justify-center max-sm:justify-end max-sm:pb-4">
      <Logo size={44} className="-ms-[5px]" />
      <h1 className="mt-5 text-2xl font-semibold tracking-[-0.022em]">{texts.greeting(assistantName)}</h1>
      <p className="mt-1 text-base/6 text-ink-muted">{texts.abilities(connectedCount)}</p>
      <div className="mt-8 grid grid-cols-3 gap-3 max-sm:grid-cols-1 max-sm:gap-2">
        {prompts.map(({ text, Icon }) => (
          <button
            key={text}
            type="button"
            onClick={() => onPrompt(text)}
            className="group flex min-h-27 flex-col items-start justify-between gap-6 rounded-lg bg-surface-raised p-4 text-start text-ui font-medium hairline transition-shadow duration-(--duration-fast) hover:[--hairline:var(--color-line-control)] max-sm:min-h-14 max-sm:flex-row max-sm:items-center max-sm:justify-start max-sm:gap-3 max-sm:py-0"
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
      <p className="mt-4 text-sm text-balance text-ink-faint">{texts.startHint}</p>
      <p className="mt-1 text-sm text-ink-faint pointer-coarse:hidden">
        {texts.newChatKeys(getModifierKey())}
      </p>
      {/* reserves its space, so that nothing moves when it appears */}
      <p className="mt-1 min-h-5 text-sm text-ink-faint">{connectedCount === 0 && texts.connectHint()}</p>
      {onChooseTemporary && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-faint">
          <Button
            size="sm"
            variant={isTemporary ? 'soft' : 'outline'}
            aria-pressed={isTemporary}
            aria-describedby="temporary-chat"
            onClick={() => onChooseTemporary(!isTemporary)}
          >
            <EyeOff aria-hidden size={16} />
            {texts.temporaryChat}
          </Button>
          <span id="temporary-chat">{texts.notSaved}</span>
        </p>
      )}
    </div>
  )
}
