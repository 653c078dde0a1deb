import { Unplug } from 'lucide-react'
import { use } from 'react'
import { reconnectSentence } from '#shared/reconnect-reason.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ReconnectContext } from './reconnect-context.ts'
import { visibly } from '../tools/hidden-characters.ts'
import type { CardProps } from './card-frame.tsx'
import { QuestionFrame } from './card-frame.tsx'

/** The grant of an integration is gone: once it is connected again, the reply goes on by itself. */
export function ReconnectCard({ question, assistantName, problem, first, busy, onAnswer }: CardProps) {
  const reconnect = use(ReconnectContext)
  const name = visibly(question.integration ?? question.title)
  return (
    <QuestionFrame
      icon={Unplug}
      tone="warning"
      title={`${name} has to be connected again`}
      about={`${
        question.reconnect
          ? reconnectSentence(name, question.reconnect)
          : `${name} does not let ${assistantName} in any more.`
      } Once it is connected again, this reply goes on by itself.`}
      problem={problem}
      first={first}
      buttons={
        <>
          {question.mcp_id !== null &&
            reconnect({
              mcpId: question.mcp_id,
              name,
              since: question.asked_at,
              busy: busy !== undefined,
              onConnected: () => onAnswer({ approved: true }),
            })}
          <Button
            tone="ghost"
            busy={busy === 'denied'}
            disabled={busy !== undefined && busy !== 'denied'}
            onClick={() => onAnswer({ approved: false })}
          >
            Not now
          </Button>
        </>
      }
    />
  )
}
