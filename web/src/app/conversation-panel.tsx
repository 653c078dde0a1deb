import type { ComponentProps } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { lazyComponent } from '../components/lazy-component.tsx'
import { AssistantList } from '../features/assistants/assistant-list.tsx'
import { useWordExport } from '../features/chat/export/use-word-export.ts'
import { HistoryPanel } from '../features/history/history-panel.tsx'
import type { ConversationDialogProps } from '../features/history/conversation-dialog.tsx'
import { MoveConversationDialog } from '../features/projects/move-conversation-dialog.tsx'
import { ProjectList } from '../features/projects/project-list.tsx'
import { useBrand } from '../lib/api/config.ts'
import { PanelPages } from './panel-pages.tsx'

type ConversationPanelProps = Omit<
  ComponentProps<typeof HistoryPanel>,
  'renderPages' | 'renderMoveDialog' | 'renderPrintDialog' | 'onExportWord'
>

const PrintDialog = lazyComponent(
  () => import('../features/chat/export/print-dialog.tsx'),
  'PrintDialog',
  null,
)

const renderPages = (close: () => void) => (
  <>
    <PanelPages onChosen={close} />
    <AssistantList onChosen={close} />
    <ProjectList onChosen={close} />
  </>
)
const renderMoveDialog = (props: ConversationDialogProps) => <MoveConversationDialog {...props} />
const renderPrintDialog = (props: ConversationDialogProps) => <PrintDialog {...props} />

/** `HistoryPanel` with what other features add to it: pages, assistants, projects, moving, printing and the export as Word. */
export function ConversationPanel(props: ConversationPanelProps) {
  const { assistantName } = useBrand()
  const startWordExport = useWordExport()
  const exportWord = ({ id }: Session) =>
    startWordExport(id, ({ exportConversationAsWord }) => exportConversationAsWord(id, assistantName))
  return (
    <HistoryPanel
      {...props}
      renderPages={renderPages}
      renderMoveDialog={renderMoveDialog}
      renderPrintDialog={renderPrintDialog}
      onExportWord={exportWord}
    />
  )
}
