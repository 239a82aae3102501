import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import { detectDateFormat, parseDate, validateDateFormat } from './date-format.ts'

const day = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / 1000

describe('parseDate', () => {
  it.each([
    ['2021-09-25', 'iso', day(2021, 9, 25)],
    ['2021-09-25T10:00:00Z', 'iso', day(2021, 9, 25) + 36_000],
    ['2021-09-25 10:00+02:00', 'iso', day(2021, 9, 25) + 28_800],
    ['September 25, 2021', 'MMMM D, YYYY', day(2021, 9, 25)],
    ['Sept. 5, 2021', 'MMMM D, YYYY', day(2021, 9, 5)],
    ['25/09/2021 3:30 pm', 'DD/MM/YYYY', day(2021, 9, 25) + 55_800],
    ['5/9/21', 'DD/MM/YY', day(2021, 9, 5)],
    ['5/9/75', 'DD/MM/YY', day(1975, 9, 5)],
    ['20210925', 'YYYYMMDD', day(2021, 9, 25)],
    ['25 septembre 2021', 'D MMMM YYYY', day(2021, 9, 25)],
    ['3. März 2021', 'D. MMMM YYYY', day(2021, 3, 3)],
    ['12 września 2021', 'D MMMM YYYY', day(2021, 9, 12)],
    ['25-Sep-21', 'D-MMM-YY', day(2021, 9, 25)],
    ['1632528000', 'unix', 1_632_528_000],
    ['1632528000999', 'unix-ms', 1_632_528_000],
    ['44464', 'excel', day(2021, 9, 25)],
    ['44464.5', 'excel', day(2021, 9, 25) + 43_200],
  ])('reads %s as %s', (text, format, seconds) => expect(parseDate(text, format)).toBe(seconds))

  it.each([
    ['2021-02-30', 'iso'],
    ['2021-13-01', 'iso'],
    ['25/09/2021', 'MM/DD/YYYY'],
    ['September 31, 2021', 'MMMM D, YYYY'],
    ['Smarch 1, 2021', 'MMMM D, YYYY'],
    ['25/09/20211', 'DD/MM/YYYY'],
    ['25/09/2021 noon', 'DD/MM/YYYY'],
    ['0021-09-25', 'iso'],
    ['', 'iso'],
    ['N/A', 'unix'],
  ])('does not read %j as %s', (text, format) => expect(parseDate(text, format)).toBeUndefined())

  it('knows the months of all languages', () => {
    for (const language of OUTPUT_LANGUAGES.filter((one) => !['ja', 'ko'].includes(one))) {
      for (let month = 1; month <= 12; month++) {
        const name = new Intl.DateTimeFormat(language, { month: 'long' }).format(new Date(2021, month - 1, 15))
        expect([language, name, parseDate(`15 ${name} 2021`, 'D MMMM YYYY')]).toEqual([
          language,
          name,
          day(2021, month, 15),
        ])
      }
    }
  })
})

describe('validateDateFormat', () => {
  it.each(['DD/MM/YYYY', 'MMMM D, YYYY', 'iso', 'unix-ms', 'YYYYMMDD'])('takes %s', (format) => {
    expect(validateDateFormat(format)).toBeUndefined()
  })
  it.each(['', 'MM/YYYY', 'dd/mm/yyyy', 'DD/DD/YYYY', 'US'])('refuses %j', (format) => {
    expect(validateDateFormat(format)).toContain('DD/MM/YYYY')
  })
})

describe('detectDateFormat', () => {
  it.each([
    [['2021-09-25', '2020-01-02'], { format: 'iso' }],
    [['September 25, 2021', ' August 4, 2017'], { format: 'MMMM D, YYYY' }],
    [['25/09/2021', '03/04/2021'], { format: 'DD/MM/YYYY' }],
    [['09/25/2021', '03/04/2021'], { format: 'MM/DD/YYYY' }],
    [['25.9.2021', '3.4.2021'], { format: 'DD.MM.YYYY' }],
    [['3/3/2021', '04/04/2021'], { format: 'DD/MM/YYYY' }],
    [['25-Sep-21', '3-Apr-20'], { format: 'D-MMM-YY' }],
    [['20210925', '20210304'], { format: 'YYYYMMDD' }],
    [['1632528000', '999999999'], { format: 'unix' }],
    [['1632528000000', '1632528000999'], { format: 'unix-ms' }],
    [['2021-09-25', '2020-01-02', ...Array.from({ length: 20 }, () => '2020-05-05'), 'N/A'], { format: 'iso' }],
  ])('finds the format of %j', (cells, expected) => expect(detectDateFormat(cells)).toEqual(expected))

  it.each([
    [['03/04/2021', '05/06/2020'], ['DD/MM/YYYY', 'MM/DD/YYYY'], '03/04/2021'],
    [['3.4.2021'], ['DD.MM.YYYY', 'MM.DD.YYYY'], '3.4.2021'],
    [['10-11-12'], ['DD-MM-YY', 'MM-DD-YY', 'YY-MM-DD'], '10-11-12'],
    // Days after the twelfth in both places: some rows are of the other kind.
    [
      [...Array.from({ length: 30 }, () => '25/09/2021'), '09/25/2021', '03/04/2021'],
      ['DD/MM/YYYY', 'MM/DD/YYYY'],
      '03/04/2021',
    ],
  ])('refuses %j, which fits several', (cells, ambiguous, example) => {
    expect(detectDateFormat(cells)).toEqual({ ambiguous, example })
  })

  it.each([[['44464', '44465']], [['25/09/2021', '09/25/2021']], [['soon', 'later']], [['2021', '2020']], [[]]])(
    'knows no format of %j',
    (cells) => {
      expect(detectDateFormat(cells)).toHaveProperty('unknown')
    },
  )

  it('never takes one of day and month for the other', () => {
    const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.array(date, { minLength: 1, maxLength: 30 }), fc.boolean(), (dates, dayFirst) => {
        const cells = dates.map((one) => {
          const [month, date] = [one.getUTCMonth() + 1, one.getUTCDate()]
          return `${dayFirst ? date : month}/${dayFirst ? month : date}/${one.getUTCFullYear()}`
        })
        const found = detectDateFormat(cells)
        if (!('format' in found)) return
        const read = cells.map((cell) => parseDate(cell, found.format))
        const meant = dates.map((one) => day(one.getUTCFullYear(), one.getUTCMonth() + 1, one.getUTCDate()))
        expect(read).toEqual(meant)
      }),
      { numRuns: 500, seed: 17 },
    )
  })
})
