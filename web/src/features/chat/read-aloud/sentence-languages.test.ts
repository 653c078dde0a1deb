import { detectAll } from 'tinyld'
import { expect, it } from 'vitest'
import { findLanguages, type DetectLanguages } from './sentence-languages.ts'

const detect: DetectLanguages = (text, only) => detectAll(text, { only: [...only] }).map(({ lang }) => lang)
const english = { browserLanguages: ['en-GB', 'en'], voiceLanguages: [] }

it.each<[string, readonly (readonly [sentence: string, language: string])[]]>([
  ['a Greek letter in English', [['The number π is about 3.14, and the wavelength is 5 μm.', 'en-GB']]],
  [
    'German',
    [
      ['Der Zug fährt um acht Uhr ab.', 'de'],
      ['Bitte sei pünktlich am Bahnhof.', 'de'],
    ],
  ],
  [
    'French',
    [
      ['Voici le plan pour demain.', 'fr'],
      ['Bonjour !', 'fr'],
    ],
  ],
  [
    'Spanish',
    [
      ['El tren sale a las ocho.', 'es'],
      ['Número 3', 'es'],
    ],
  ],
  ['Portuguese', [['O orçamento é pequeno demais para um segundo barco.', 'pt']]],
  [
    'Norwegian, with a sentence that could be Danish',
    [
      ['Vi møtes foran stasjonen i byen.', 'no'],
      ['Her er planen for i morgen.', 'no'],
    ],
  ],
  ['Polish', [['Pociąg odjeżdża o ósmej. Proszę być na czas.', 'pl']]],
  ['Indonesian', [['Kereta berangkat pukul delapan, berikut rencana untuk besok.', 'id']]],
  ['Ukrainian', [['Потяг вирушає о восьмій, сподіваюся, це допоможе.', 'uk']]],
  ['Persian', [['قطار ساعت هشت حرکت می‌کند.', 'fa']]],
  ['Arabic with a name', [['يغادر القطار من Oslo في الساعة الثامنة.', 'ar']]],
  [
    'Japanese, some sentences without kana',
    [
      ['電車は八時に出発します。', 'ja'],
      ['東京駅。', 'ja'],
    ],
  ],
  [
    'Chinese with a word of Japanese',
    [
      ['火车八点从东京站出发，请准时到达车站入口处等候。', 'zh'],
      ['すし', 'ja'],
    ],
  ],
  [
    'Korean',
    [
      ['기차는 여덟 시에 출발합니다.', 'ko'],
      ['OK', 'en-GB'],
    ],
  ],
  ['Hindi', [['ट्रेन आठ बजे निकलती है।', 'hi']]],
  [
    'a lesson of German',
    [
      ['In German you say it like this, and everybody will understand you.', 'en-GB'],
      ['Entschuldigung, wo ist bitte der nächste Bahnhof?', 'de'],
      ['Be polite.', 'en-GB'],
    ],
  ],
  [
    'names and commands in German',
    [
      ['Die Reise führt durch drei Städte, und alle liegen am Meer.', 'de'],
      ['Rio de Janeiro', 'de'],
      ['npm install', 'en-GB'],
    ],
  ],
  [
    'short sentences of a mixed text',
    [
      ['Hello there.', 'en-GB'],
      ['Der Zug fährt um acht Uhr ab.', 'de'],
      ['Guten Tag!', 'de'],
    ],
  ],
  ['nothing but numbers', [['12.5', 'en-GB']]],
])('reads %s', (_, sentences) => {
  const languages = findLanguages(
    sentences.map(([sentence]) => sentence),
    detect,
    english,
  )
  expect(languages).toEqual(sentences.map(([, language]) => language))
})

it.each<[string, string, string[], string[], string]>([
  ['the browser’s variant', 'Der Zug fährt um acht Uhr ab.', ['de-AT', 'en'], ['de-DE'], 'de-AT'],
  ['the variant of a voice', 'Der Zug fährt um acht Uhr ab.', ['en-US'], ['en-US', 'de_DE'], 'de-DE'],
  [
    'the voice of a near language',
    'Toget kører klokken otte, jeg håber, det hjælper.',
    ['en'],
    ['en-US', 'nb-NO'],
    'nb-NO',
  ],
  ['the browser’s Chinese', '火车八点出发。', ['zh-TW'], ['zh-CN'], 'zh-TW'],
])('takes %s', (_, sentence, browserLanguages, voiceLanguages, language) => {
  expect(findLanguages([sentence], detect, { browserLanguages, voiceLanguages })).toEqual([language])
})

it.each([
  ['The train leaves.', ['de-AT'], 'de-AT'],
  ['The train leaves.', ['ja-JP', 'fr'], 'fr'],
  ['The train leaves.', ['ja-JP'], 'en'],
  ['Поезд отправляется.', ['en', 'uk-UA'], 'uk-UA'],
  ['Поезд отправляется.', ['en'], 'ru'],
  // some browsers have tags that are none
  ['The train leaves.', ['en-US@posix', 'fr'], 'fr'],
])('without a detector, %s is read in %j as %s', (sentence, browserLanguages, language) => {
  expect(findLanguages([sentence], undefined, { browserLanguages, voiceLanguages: [] })).toEqual([language])
})
