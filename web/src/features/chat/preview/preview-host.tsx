import { useMemo, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { useConfig } from '../../../lib/config.ts'
import type { Conversation } from '../state/conversation.ts'
import { PreviewContext, type Previews } from './preview-context.ts'

const { Component: PreviewPanel } = lazyComponent(
  () => import('./preview-panel.tsx').then((module) => module.PreviewPanel),
  null,
)

/** A conversation, and the preview that the user opens from it. */
export function PreviewHost({ conversation, children }: { conversation: Conversation; children: ReactNode }) {
  const [opened, setOpened] = useState<Parameters<Previews['open']>>()
  const hasSandbox = useConfig()?.appsOrigin !== undefined
  const previews = useMemo(
    (): Previews => ({ hasSandbox, open: (...preview) => setOpened(preview) }),
    [hasSandbox],
  )
  return (
    <PreviewContext value={previews}>
      <div className="flex h-full min-h-0 print:block print:h-auto">
        <div className="min-w-0 flex-1">{children}</div>
        {opened && (
          <PreviewPanel
            key={opened[0].code}
            conversation={conversation}
            source={opened[0]}
            opener={opened[1]}
            onClose={() => setOpened(undefined)}
          />
        )}
      </div>
    </PreviewContext>
  )
}
