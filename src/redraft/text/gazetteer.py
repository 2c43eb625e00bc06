"""Names that an English reader knows, and words that tell what a name is of."""

from __future__ import annotations

from typing import Final


def _names(listed: str) -> frozenset[str]:
    return frozenset(name.strip() for name in " ".join(listed.split()).split(","))


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


PLACES: Final = _names(
    """Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan,
    Bahrain, Bangladesh, Barbados, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Bosnia, Botswana,
    Brazil, Brunei, Bulgaria, Burundi, Cambodia, Cameroon, Canada, Chad, Chile, China, Colombia, Congo,
    Costa Rica, Côte d'Ivoire,
    Croatia, Cuba, Cyprus, Czechia, Denmark, Ecuador, Egypt, El Salvador, England, Eritrea,
    Estonia, Ethiopia, Fiji, Finland, France, Gabon, Gambia, Germany, Ghana, Greece, Greenland, Grenada,
    Guatemala, Guinea, Guyana, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland,
    Israel, Italy, Ivory Coast, Jamaica, Japan, Kazakhstan, Kenya, Kosovo, Kuwait, Laos, Latvia,
    Lebanon, Liberia, Libya, Lithuania, Luxembourg, Madagascar, Malawi, Malaysia, Maldives, Mali, Malta,
    Mauritius, Mexico, Moldova, Monaco, Mongolia, Montenegro, Morocco, Mozambique, Myanmar, Namibia,
    Nepal, Netherlands, New Zealand, Nicaragua, Nigeria, North Korea, Northern Ireland, Norway, Oman,
    Pakistan, Palestine, Panama, Paraguay, Peru, Philippines, Poland, Portugal, Qatar, Romania, Russia,
    Rwanda, Saudi Arabia, Scotland, Senegal, Serbia, Singapore, Slovakia, Slovenia, Somalia, South
    Africa, South Korea, Spain, Sri Lanka, Sudan, Suriname, Sweden, Switzerland, Syria, Taiwan,
    Tajikistan, Tanzania, Thailand, Togo, Tunisia, Turkey, Turkmenistan, Uganda, Ukraine, United Arab
    Emirates, United Kingdom, United States, United States of America, Uruguay, Uzbekistan, Vatican
    City, Venezuela, Vietnam, Wales, Yemen, Zambia, Zimbabwe, US, UK, USA, U.S., U.K., U.S.A., UAE,
    Africa, Asia, Europe, Antarctica, North America, South America, Latin America, Central America,
    Oceania, Middle East, Caribbean, Scandinavia, Balkans, Siberia, Britain, Great Britain, Soviet
    Union, Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida,
    Georgia, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland,
    Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire,
    New Jersey, New Mexico, New York, North Carolina, North Dakota, Ohio, Oklahoma, Oregon,
    Pennsylvania, Rhode Island, South Carolina, South Dakota, Tennessee, Texas, Utah, Vermont, Virginia,
    West Virginia, Wisconsin, Wyoming, Ontario, Quebec, Bavaria, Catalonia, Punjab, Kerala, Kashmir,
    Tibet, Crimea, Gaza, Manhattan, Brooklyn, Hollywood, Wall Street, Silicon Valley, New York City, Los
    Angeles, Chicago, Houston, Phoenix, Philadelphia, San Antonio, San Diego, Dallas, San Francisco,
    Seattle, Denver, Boston, Detroit, Atlanta, Miami, Las Vegas, Portland, Baltimore, New Orleans,
    Pittsburgh, Washington, Washington D.C., London, Manchester, Birmingham, Liverpool, Leeds, Oxford,
    Cambridge, Edinburgh, Glasgow, Cardiff, Belfast, Dublin, Paris, Lyon, Marseille, Berlin, Hamburg,
    Munich, Cologne, Frankfurt, Vienna, Zurich, Geneva, Bern, Brussels, Antwerp, Amsterdam, Rotterdam,
    The Hague, Copenhagen, Stockholm, Oslo, Helsinki, Reykjavik, Madrid, Barcelona, Seville, Valencia,
    Lisbon, Porto, Rome, Milan, Naples, Turin, Venice, Florence, Athens, Istanbul, Ankara, Moscow, Saint
    Petersburg, Kyiv, Kiev, Warsaw, Krakow, Prague, Budapest, Bucharest, Sofia, Belgrade, Zagreb, Cairo,
    Alexandria, Lagos, Nairobi, Johannesburg, Cape Town, Accra, Addis Ababa, Casablanca, Tunis, Algiers,
    Dubai, Abu Dhabi, Riyadh, Mecca, Jerusalem, Tel Aviv, Baghdad, Tehran, Kabul, Karachi, Lahore,
    Islamabad, Delhi, New Delhi, Mumbai, Bombay, Kolkata, Chennai, Bangalore, Hyderabad, Dhaka, Colombo,
    Kathmandu, Bangkok, Hanoi, Ho Chi Minh City, Kuala Lumpur, Jakarta, Manila, Beijing, Shanghai,
    Guangzhou, Shenzhen, Hong Kong, Wuhan, Taipei, Seoul, Busan, Pyongyang, Tokyo, Osaka, Kyoto,
    Hiroshima, Nagasaki, Sydney, Melbourne, Brisbane, Perth, Canberra, Auckland, Wellington, Toronto,
    Montreal, Vancouver, Ottawa, Calgary, Mexico City, Havana, Bogota, Lima, Quito, Caracas, Santiago,
    Buenos Aires, Rio de Janeiro, São Paulo, Brasília, Amazon River, Nile, Thames, Danube, Rhine,
    Himalayas, Alps, Andes, Sahara, Atlantic, Pacific, Mediterranean, Arctic, Everest"""
)

FIRST_NAMES: Final = _names(
    """James, John, Robert, Michael, William, David, Richard, Joseph, Thomas, Charles, Christopher, Daniel,
    Matthew, Anthony, Mark, Donald, Steven, Paul, Andrew, Joshua, Kenneth, Kevin, Brian, George, Edward,
    Ronald, Timothy, Jason, Jeffrey, Ryan, Jacob, Gary, Nicholas, Eric, Jonathan, Stephen, Larry,
    Justin, Scott, Brandon, Benjamin, Samuel, Gregory, Frank, Alexander, Patrick, Jack, Dennis, Jerry,
    Tyler, Aaron, Henry, Peter, Adam, Nathan, Arthur, Albert, Isaac, Leo, Oscar, Simon, Tom, Bob, Bill,
    Jim, Joe, Mike, Steve, Dave, Dan, Ben, Sam, Tim, Max, Mary, Patricia, Jennifer, Linda, Elizabeth,
    Barbara, Susan, Jessica, Sarah, Karen, Lisa, Nancy, Betty, Margaret, Sandra, Ashley, Kimberly,
    Emily, Donna, Michelle, Carol, Amanda, Melissa, Deborah, Stephanie, Rebecca, Laura, Helen, Sharon,
    Cynthia, Kathleen, Amy, Angela, Anna, Anne, Ruth, Brenda, Pamela, Nicole, Katherine, Catherine,
    Christine, Samantha, Emma, Olivia, Sophia, Isabella, Ava, Mia, Charlotte, Alice, Grace, Julia, Jane,
    Kate, Lucy, Rachel, Maria, Marie, Clara, Eva, Ada, Marco, Carlos, Juan, José, Luis, Pedro, Miguel,
    Ahmed, Ali, Mohammed, Muhammad, Omar, Fatima, Aisha, Hassan, Ibrahim, Wei, Li, Chen, Yuki, Hiroshi,
    Kenji, Priya, Raj, Ravi, Anita, Ivan, Vladimir, Dmitri, Olga, Natasha, Boris, Hans, Klaus, Fritz,
    Heinrich, Wolfgang, Pierre, Jean, Jacques, François, Claude, Louis, Antonio, Giovanni, Francesco,
    Giuseppe, Lars, Erik, Sven, Ingrid, Barack, Angela, Nelson, Winston, Abraham, Martin, Walter,
    Ernest"""
)

TITLES: Final = _words(
    """Mr Mrs Ms Miss Dr Prof Professor President Chancellor Minister Senator Governor Judge Justice Captain
    General Colonel Major Lieutenant Sergeant King Queen Prince Princess Pope Saint Sir Lady Lord Dame
    Mayor Ambassador Secretary Congressman Congresswoman Reverend Bishop Father Sister Rabbi Imam
    Emperor Empress Duke Duchess Count Baron Chairman Director Coach Detective Inspector Officer Uncle
    Aunt Representative"""
)

ORGANISATION_WORDS: Final = _words(
    """Inc Ltd LLC Corp Corporation Company Co GmbH AG PLC Group Holdings Partners Bank Fund University
    College
    School Institute Academy Laboratory Laboratories Hospital Clinic Museum Library Foundation
    Association Society Union Federation League Committee Commission Council Ministry Department Agency
    Bureau Authority Administration Office Court Parliament Congress Senate Party Police Army Navy Force
    Press Times Post Journal News Network Airlines Airways Motors Industries Systems Technologies
    Technology Software Labs Records Pictures Studios Entertainment Club United Organization
    Organisation Centre Center Trust Board Service Services Nations Alliance Coalition Guild Church Team
    Orchestra Theatre Observatory Consortium Initiative"""
)

PLACE_WORDS: Final = _words(
    """River Lake Mount Mountain Mountains Island Islands Street Avenue Road Boulevard Lane Square Park Bridge
    Bay Sea Ocean Valley Desert Forest County City Town Village Province District Peninsula Coast Beach
    Hill Hills Canyon Falls Harbor Harbour Airport Station Castle Palace Tower Cape Gulf Strait Canal
    Creek Highway"""
)

ORGANISATIONS: Final = _names(
    """Google, Microsoft, Apple, Amazon, Facebook, Meta, Twitter, Intel, Nvidia, Samsung, Sony, Toyota, Honda,
    Boeing, Airbus, Tesla, Netflix, Disney, Walmart, Ikea, Siemens, Volkswagen, Nokia, Huawei, OpenAI,
    Anthropic, Wikipedia, Reuters, Harvard, Stanford, Yale, Princeton, Greenpeace, Interpol, UNESCO,
    UNICEF, NATO, NASA, Pfizer, Oxfam, World Health Organization, United Nations, European Union,
    European Commission, Supreme Court, White House, Red Cross, World Bank, New York Times, Washington
    Post, McDonald's, Wendy's, Domino's, Sotheby's, Christie's, Macy's, Kellogg's, Levi's, Moody's,
    Sainsbury's, Nestlé, Spotify, Uber, Airbnb, Adidas, Nike, Pentagon"""
)

# Capital letters that name no one and no place.
NO_NAMES: Final = _words(
    """I English French German Spanish Italian Chinese Japanese Russian American British European
    African Asian
    Indian Canadian Australian Dutch Greek Latin Roman Arabic Christian Christians Muslim Muslims Jewish
    Jews Catholic Protestant Buddhist Hindu Americans Europeans Germans Romans Greeks Internet Web Earth
    Moon Sun God Bible Christmas Easter Figure Table Section Chapter Equation Appendix Theorem Lemma
    Part Page Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May
    June July August September October November December DNA RNA TV PC CPU GPU PDF HTML URL API CEO CFO
    CTO HIV AIDS AI ML NLP IT HR PR ID OK FAQ DIY GDP COVID LED USB SMS ATM IQ PhD MBA BC AD AM PM TBD
    ASAP CD DVD SQL JSON XML HTTP II III IV VI VII VIII IX XI LLM LSTM BERT GPT BLEU SARI CNN RNN SVM
    PCA GPS Windows Linux Python Java Renaissance"""
)
