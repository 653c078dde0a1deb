import { describe, expect, it } from 'vitest'
import { ThinkTags } from './think-tags.ts'
import { limitCpuTime } from '../../test/support/fuzz.ts'

/** Reads a text in pieces of a length. */
function read(text: string, length: number) {
  let [answer, reasoning] = ['', '']
  const tags = new ThinkTags({
    onText: (delta) => (answer += delta),
    onReasoning: (delta) => (reasoning += delta),
    onTextWasReasoning: () => {
      reasoning += answer
      answer = ''
    },
  })
  for (let start = 0; start < text.length; start += length) tags.add(text.slice(start, start + length))
  tags.end()
  return { answer, reasoning }
}

// https://docs.vllm.ai/en/latest/features/reasoning_outputs.html, https://huggingface.co/deepseek-ai/DeepSeek-R1-0528
describe.each([1, 2, 3, 7, 1_000])('a text in pieces of %i', (length) => {
  it.each([
    ['reasoning that opens the text', '<think>Hm\n</think>\n\nHi', 'Hi', 'Hm\n'],
    ['after blanks, in capitals', ' \n<THINK>Hm</Think>Hi', 'Hi', 'Hm'],
    ['the longer tag', '<thinking>Hm</thinking>\nHi', 'Hi', 'Hm'],
    // RooCodeInc/Roo-Code#8522, tinyhumansai/openhuman#6184
    ['the tag of Mistral', '[THINK]Hm[/THINK]Hi', 'Hi', 'Hm'],
    ['the tag of Mistral without its opening', 'Hm.[/THINK]\nHi', 'Hi', 'Hm.'],
    ['the tag of Gemini', '<thought>Hm</thought>\nHi', 'Hi', 'Hm'],
    ['the tag of MiniMax', '<mm:think>Hm</mm:think>Hi', 'Hi', 'Hm'],
    ['the tag of Seed', '<seed:think>Hm</seed:think>Hi', 'Hi', 'Hm'],
    ['a tag that the prompt asked for', '<reasoning>Hm</reasoning>Hi', '<reasoning>Hm</reasoning>Hi', ''],
    ['a link in brackets', '[Think](https://a.b) [/th', '[Think](https://a.b) [/th', ''],
    ['nothing within', '<think>\n\n</think>\n\nHi', 'Hi', '\n\n'],
    ['without the opening tag', 'Hm. I greet.\n</think>\n\nHi', 'Hi', 'Hm. I greet.\n'],
    ['without the opening tag, at the end of a line', 'Hm.</think>\nHi', 'Hi', 'Hm.'],
    ['a second block, later', '<think>a</think>b <think>c</think> d', 'b <think>c</think> d', 'a'],
    ['a tag later in the text', 'Use <think> for it.', 'Use <think> for it.', ''],
    ['a closing tag within a line', 'The tag </think> ends it.', 'The tag </think> ends it.', ''],
    ['a closing tag in code', 'Write `</think>`\nor', 'Write `</think>`\nor', ''],
    ['in a fence', 'See:\n```\nHm\n</think>\n```\nso', 'See:\n```\nHm\n</think>\n```\nso', ''],
    ['in a quoted paragraph', '> Hm\n> </think>\nso', '> Hm\n> </think>\nso', ''],
    ['in quotation marks', 'It says "</think>\nso', 'It says "</think>\nso', ''],
    ['without the opening tag, and blanks behind', 'Hm.</think>  \nHi', 'Hi', 'Hm.'],
    ['a closing tag behind reasoning', '<think>a</think>b</think>\nc', 'b</think>\nc', 'a'],
    ['in a fence of tildes', '   ~~~\nHm\n</think>\n~~~\nso', '   ~~~\nHm\n</think>\n~~~\nso', ''],
    ['behind a fence', '```\nHm\n```\n</think>\nHi', 'Hi', '```\nHm\n```\n'],
    ['in what is no fence', '    ```\nHm\n</think>\nHi', 'Hi', '    ```\nHm\n'],
    ['behind code', 'Write `a`.</think>\nHi', 'Hi', 'Write `a`.'],
    ['in an indented line', 'See:\n    Hm</think>\nso', 'See:\n    Hm</think>\nso', ''],
    ['behind a tab', 'See:\n\tHm</think>\nso', 'See:\n\tHm</think>\nso', ''],
    ['in a line that is hardly indented', 'See:\n   Hm</think>\nHi', 'Hi', 'See:\n   Hm'],
    ['behind a quoted paragraph', '> a\nHm</think>\nHi', 'Hi', '> a\nHm'],
    ['in an indented quotation', ' > Hm</think>\nso', ' > Hm</think>\nso', ''],
    ...['`', '"', "'", '“', '‘', '«', '„'].map((mark) => [
      `behind ${mark}`,
      `It says ${mark}</think>\nso`,
      `It says ${mark}</think>\nso`,
      '',
    ]),
    ['the longer tag without its opening', 'Hm.</THINKING>\nHi', 'Hi', 'Hm.'],
    ['and 20 blanks behind', `Hm.</think>${' \t'.repeat(10)}\nHi`, 'Hi', 'Hm.'],
    ['and more behind', `Hm.</think>${' '.repeat(21)}\nHi`, `Hm.</think>${' '.repeat(21)}\nHi`, ''],
    ['at the end of the text', 'Hm.</think>', '', 'Hm.'],
    ['and blanks at the end', 'Hm.</think>  ', '', 'Hm.'],
    ['a tag that opens nothing', 'a <thinking> b', 'a <thinking> b', ''],
    ['blanks alone', ' \n ', ' \n ', ''],
    ['nothing', '', '', ''],
    ['a closing tag that is not complete', 'Hm.</thi', 'Hm.</thi', ''],
    ['reasoning with a tag that is not complete', '<think>a</thin', 'a</thin', 'a</thin'],
    ['reasoning with another tag', '<think>a <b></i> c</think>Hi', 'Hi', 'a <b></i> c'],
    ['two closing tags', 'a</think>\nb</think>\nc', 'b</think>\nc', 'a'],
    ['no tag at all', 'a < b and </p>', 'a < b and </p>', ''],
    ['the beginning of a tag', '<thin', '<thin', ''],
    ['another tag', '<thinker>', '<thinker>', ''],
  ])('%s', (_, text, answer, reasoning) => {
    expect(read(text, length)).toEqual({ answer, reasoning })
  })

  it('that only opens reasoning is not lost', () => {
    expect(read('<think>is a tag', length)).toEqual({ answer: 'is a tag', reasoning: 'is a tag' })
  })
})

it('takes no longer for a text of many brackets', () => {
  expect(() => limitCpuTime(() => read('</thin'.repeat(100_000), 10), 3_000)).not.toThrow()
})
