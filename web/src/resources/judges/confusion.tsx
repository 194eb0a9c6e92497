import { countText, percentOf } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import { Coefficient } from './agreement.tsx';
import type { Calibration } from './queries.ts';

type Confusion = NonNullable<Calibration['confusion']>;

/** A row for each label of the judge, a column for each label of people. The darker a cell, the larger its part of what people labelled so. */
const Counts = ({ confusion: { names, table } }: { confusion: Confusion }) => {
  const given = names.map((_, human) => table.reduce((sum, row) => sum + row[human]!, 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: with many labels it scrolls, also by keyboard.
    <section className="overflow-x-auto" tabIndex={0} aria-label="Labels of the judge by those of people">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b text-sm text-soft">
            <th scope="col" className="h-8 pr-2 font-medium">
              Judge
            </th>
            {names.map((name) => (
              <th key={name} scope="col" className="h-8 px-2 font-medium whitespace-nowrap">
                People: <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, judge) => (
            <tr key={name} className="border-b">
              <th scope="row" className="max-w-48 pr-2 text-left font-medium break-words">
                <bdi>{name}</bdi>
              </th>
              {table[judge]!.map((count, human) => {
                const part = given[human] ? count / given[human] : 0;
                return (
                  <td
                    key={names[human]}
                    className="h-9 px-2"
                    title={`${percentOf(part)} % of ${countText(given[human]!)} that people labelled ${names[human]}`}
                    style={{
                      background: `color-mix(in srgb, var(${judge === human ? '--pass' : '--fail'}) ${Math.round(30 * part)}%, transparent)`,
                    }}
                  >
                    {countText(count)} {judge === human && count > 0 && <span aria-hidden="true">✓</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** Which label the judge gave where people gave another. */
export const LabelConfusion = ({ confusion }: { confusion: Confusion }) => {
  const { ordered, agreement, kappa, alpha } = confusion;
  return (
    <Section title="Labels of the judge and of people">
      <Counts confusion={confusion} />
      <Table label="Agreement on labels" head={['Figure', '95 % interval']}>
        <Row>
          <Cell>Same label</Cell>
          <Cell>
            <Interval of={agreement} />
          </Cell>
        </Row>
        <Row>
          <Cell>
            <Term of="kappa">{ordered ? 'Weighted κ' : 'Cohen’s κ'}</Term>
          </Cell>
          <Cell>
            <Coefficient of={kappa} />
          </Cell>
        </Row>
        <Row>
          <Cell>Krippendorff’s α, {ordered ? 'ordinal' : 'nominal'}</Cell>
          <Cell>
            <Coefficient of={alpha} />
          </Cell>
        </Row>
      </Table>
      <p className="mt-1 text-sm text-soft">
        The figures above are about whether the label passes; these are about the labels themselves.
      </p>
    </Section>
  );
};
