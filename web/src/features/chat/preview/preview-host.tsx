import { useMemo, useState, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { useConfig } from '../../../lib/config.ts'
import type { Conversation } from '../state/conversation.ts'
import { PreviewContext, type Previews } from './preview-context.ts'

const PreviewPanel = lazyComponent(() => import('./preview-panel.tsx'), 'PreviewPanel', null)

/** Messages, and the preview that the user opens from one of them: beside the view of the conversation. */
export function PreviewHost({
  conversation,
  scroller,
  children,
}: {
  conversation: Conversation
  /** of the messages */
  scroller: RefObject<HTMLElement | null>
  children: ReactNode
}) {
  const [opened, setOpened] = useState<{ preview: Parameters<Previews['open']>; place: Element }>()
  const hasSandbox = useConfig()?.appsOrigin !== undefined
  const previews = useMemo(
    (): Previews => ({
      hasSandbox,
      open: (...preview) => {
        const place = scroller.current?.parentElement?.parentElement
        if (place) setOpened({ preview, place })
      },
    }),
    [hasSandbox, scroller],
  )
  return (
    <PreviewContext value={previews}>
      {children}
      {opened &&
        createPortal(
          <PreviewPanel
            key={opened.preview[0].code}
            conversation={conversation}
            source={opened.preview[0]}
            opener={opened.preview[1]}
            onClose={() => setOpened(undefined)}
          />,
          opened.place,
        )}
    </PreviewContext>
  )
}
