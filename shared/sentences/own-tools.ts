import { defineSentences } from './to-sentence.ts'

/** Why a tool of the product itself did nothing: for the model, and for the user below the call. */
export const ownToolSentences = {
  'own_tool.name_one': 'Name a tool that {tool} has found.',
  'own_tool.no_memory': 'There is no memory with this id and text.',
  'own_tool.no_attachment': 'There is no attachment with this id.',
  'own_tool.no_text': '{name}: {why}.',
  'own_tool.document_end': 'The document has {of} characters.',
  'own_tool.document_cut': "Of the document's {of} characters only the first {characters} are kept.",
  'own_tool.result_gone': 'This result is not there any more. Make the call again.',
  'own_tool.result_end': 'The result ends at character {characters}.',
  'own_tool.no_files': 'This conversation has no files.',
  'own_tool.no_file': 'There is no such file. The files are: {files}.',
  'own_tool.image_shown': 'The user sees the image now.',
  'made_file.kind': 'Files of these kinds can be made: {kinds, list}.',
  'made_file.no_content': 'A file of this kind needs `content`.',
  'made_file.no_rows': 'A workbook needs `sheets` with rows or a statement each, or a table in Markdown.',
  'made_file.too_large': 'The file would be larger than {megabytes} MB. Nothing was stored.',
  'made_file.too_many_rows': 'The file would have more than {rows} rows. Nothing was stored.',
  'made_file.letters': 'A PDF is made of letters of Western Europe only. Make a Word document of this text.',
  'made_file.changed': 'The file was changed or deleted meanwhile. Nothing was stored.',
  'not_searched.late': 'not opened in time',
  'not_searched.no_index': 'its text is not prepared for a search',
  'not_searched.not_indexed': 'its text could not be prepared for a search: read it with {tool}',
  'not_searched.unknown': 'there is no such file',
  'not_searched.cut': 'only the first {characters} of {of} characters are kept',
  'no_text.gone': 'its text is not there any more',
  'no_text.archive': 'an archive, which is not read: unpack it and attach its files',
  'no_text.other': 'its content cannot be read',
  'no_text.reading': 'still being read: its text may be there with the next message',
  'no_text.unreadable': 'not readable: {note}',
  'no_text.unreadable_unsaid': 'not readable: no reason is known',
} as const

export const sayOwnTool = defineSentences(ownToolSentences)
