import { t } from '@lingui/core/macro'
import { AppWindow } from 'lucide-react'
import { use, useState } from 'react'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { appBlockers } from '../../../lib/browser/app-blockers.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { useStore } from '../../../lib/browser/create-store.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { stopFollowingEnd } from '../use-stick-to-bottom.ts'
import { AppContext } from './app-context.ts'
import { OpenApp, takeLostFocus, type CloseReason } from './open-app.tsx'

/**
 * The app that shows the result of a call (MCP Apps). It is loaded only when the user opens it. Renders nothing in a deployment without a sandbox
 * for apps, and outside of a conversation.
 */
export function AppCard({ call, mcpId }: { call: ToolCall; mcpId: string }) {
  const origin = useConfig()?.appsOrigin
  const context = use(AppContext)
  const [phase, setPhase] = useState<'offered' | 'open' | 'closed'>('offered')
  const [closeReason, setCloseReason] = useState<CloseReason>()
  const isBlocked = useStore(appBlockers) > 0
  const close = (reason?: CloseReason) => {
    setPhase('closed')
    setCloseReason(reason)
  }
  if (phase === 'open' && isBlocked) close('blocked')
  if (origin === undefined || !context) return null
  const server = revealHiddenCharacters(call.integration ?? mcpId)
  if (phase === 'open' && !isBlocked)
    return (
      <OpenApp origin={origin} call={call} mcpId={mcpId} server={server} context={context} onClose={close} />
    )
  return (
    <div className="grid justify-items-start gap-2">
      {closeReason && (
        <Callout variant="info">
          {closeReason === 'takeover'
            ? t`The app from ${server} was closed: it took the keyboard while you were elsewhere on this page.`
            : closeReason === 'unguarded'
              ? t`The app from ${server} was not opened: in this browser it might reach more addresses than it names.`
              : t`Apps are closed while a dialog or a field for a password or key is shown.`}
        </Callout>
      )}
      <Button
        // only if the user has closed it: otherwise the user was elsewhere, or a dialog or field is about to take the focus
        ref={phase === 'closed' && !closeReason ? takeLostFocus : undefined}
        size="sm"
        onClick={({ currentTarget }) => {
          stopFollowingEnd(currentTarget)
          if (isBlocked) return close('blocked')
          setCloseReason(undefined)
          setPhase('open')
        }}
      >
        <AppWindow aria-hidden size={16} />
        <span className="truncate">{t`Show app from ${server}`}</span>
      </Button>
    </div>
  )
}
