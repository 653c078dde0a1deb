import { t } from '@lingui/core/macro'
import { Check, Mic, RotateCw, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { DocumentFlag } from '../../../components/ui/document-flag.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { returnFocus } from '../../../components/ui/tooltip.tsx'
import { canRecord } from './recorder.ts'
import { useDictation } from './use-dictation.ts'

interface DictationProps {
  /** the draft that gets the text if the user leaves the conversation meanwhile; undefined in a temporary chat */
  draftKey: string | undefined
}

/** The button for dictation. Renders nothing where the browser cannot record. */
export const Dictation = (props: DictationProps) => (canRecord() ? <DictateButton {...props} /> : null)

/** The button that records what the user says. The text is added to the message, and can be edited there. */
function DictateButton({ draftKey }: DictationProps) {
  const { phase, record, cancel, transcribeAgain } = useDictation(draftKey)
  if (phase.name === 'idle')
    return (
      <IconButton
        label={t`Dictate`}
        icon={<Mic size={20} strokeWidth={1.75} />}
        onClick={() => void record()}
      />
    )
  return (
    <div
      role="group"
      aria-label={t`Dictate`}
      className="flex items-center gap-1.5 rounded-sm bg-surface-raised ps-2 text-sm text-ink-muted"
    >
      <DocumentFlag name="dictation" />
      {phase.name === 'recording' && <RecordingTime startedAtMs={phase.startedAtMs} />}
      {/* there from the beginning, so that screen readers hear of its text; a toast says why it failed */}
      <span role="status" className="flex items-center gap-2 empty:absolute">
        {(phase.name === 'starting' || phase.name === 'writing') && <Spinner />}
        {phase.name === 'writing' && t`Writing down…`}
      </span>
      <IconButton label={t`Cancel dictation`} icon={<X size={20} />} onClick={cancel} />
      {phase.name === 'recording' && (
        <IconButton
          ref={takeFocus}
          label={t`Finish dictation`}
          icon={<Check size={20} />}
          onClick={phase.recorder.finish}
        />
      )}
      {phase.name === 'failed' && (
        <Button size="compact" variant="ghost" onClick={() => transcribeAgain(phase.audio)}>
          <RotateCw aria-hidden size={16} />
          {t`Transcribe again`}
        </Button>
      )}
    </div>
  )
}

/** Moves the focus to the button that finishes, because the button that was pressed is gone. */
const takeFocus = (node: HTMLElement | null) => {
  if (node) returnFocus(node)
}

function RecordingTime({ startedAtMs }: { startedAtMs: number }) {
  const [seconds, setSeconds] = useState(0)
  const update = useEffectEvent(() => setSeconds(Math.floor((performance.now() - startedAtMs) / 1_000)))
  useEffect(() => {
    const timer = setInterval(update, 1_000)
    return () => clearInterval(timer)
  }, [])
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span className="flex items-center gap-2 tabular-nums">
      <span aria-hidden className="size-2.5 animate-breathe rounded-full bg-danger" />
      <span className="sr-only">{t`Recording`}</span>
      {time}
    </span>
  )
}
