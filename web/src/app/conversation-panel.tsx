import type { ComponentProps } from 'react'
import { HistoryPanel, type MoveDialogProps } from '../features/history/history-panel.tsx'
import { MoveDialog } from '../features/projects/move-dialog.tsx'
import { ProjectList } from '../features/projects/project-list.tsx'

type ConversationPanelProps = Omit<ComponentProps<typeof HistoryPanel>, 'renderProjects' | 'renderMoveDialog'>

const renderProjects = (close: () => void) => <ProjectList onChosen={close} />
const renderMoveDialog = (props: MoveDialogProps) => <MoveDialog {...props} />

/** The panel of conversations, with the user's projects. */
export const ConversationPanel = (props: ConversationPanelProps) => (
  <HistoryPanel {...props} renderProjects={renderProjects} renderMoveDialog={renderMoveDialog} />
)
