/** Questions to a shop with the answers of a first version of its assistant, some of them wrong: to see a result before one has data. */
export const sample = {
  name: 'Sample: questions to a shop',
  text: `question,expected,answer
How many days do I have to return a lamp?,30 days,30 days
What does standard delivery cost?,4.90 euros,4.90 euros
From what amount is delivery free?,50 euros,50 euros
How long is the guarantee on lamps?,2 years,3 years
Which bulb fits the Nordlicht lamp?,E27,E27
Can I pay by invoice?,Yes,Yes
Do you deliver to Switzerland?,No,Yes
When are parcels picked up on weekdays?,4 pm,4 pm
Where is your store?,Bergen,Oslo
How do I reach the service by phone?,0800 555 010,0800 555 010
Is the garden lamp waterproof?,IP65,IP65
How many lumens has the desk lamp?,800,800
Can I change the address of an order?,Until it is packed,Until it is packed
Who pays for a return?,The shop,The customer
How soon is money paid back?,Within 5 days,Within 5 days
Which colours has the Fjell lamp?,"Black, white","Black, white"
Does the remote control need batteries?,2 AAA,2 AA
How heavy is the floor lamp?,6.5 kg,6.5 kg
Is assembly needed?,No,No
Can I pick up an order?,"Yes, in Bergen","Yes, in Bergen"
What is the discount for students?,10 %,15 %
Do you take old lamps back?,Yes,Yes
How long are gift cards valid?,3 years,1 year
On which day is the store closed?,Sunday,Sunday
`,
};
